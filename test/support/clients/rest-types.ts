/** What REST answers, as the specification writes it. Typed by hand: the tests must not take it from the code under test. */
export interface IdentityBody {
  sub: string;
  name: string | null;
  email: string | null;
  service_user_id: number;
  service_organization_id: number;
  service_organization_slug: string;
  role: string;
}

export interface ThreadBody {
  id: string;
  name: string | null;
  state: 'ready' | 'waiting' | 'active' | 'error' | 'interrupted';
  is_private: boolean;
  archived: boolean;
  owner: { id: string; name: string | null };
  created_at: string;
  updated_at: string;
  app_url: string;
}

export type BlockBody =
  | { type: 'text'; text: string }
  | { type: 'image' | 'document'; attachment_id: string }
  | { type: 'user_get_choice'; tool_use_id: string; question: string; choices: string[] };

export interface MessageBody {
  id: string;
  thread_id: string;
  role: 'user' | 'assistant' | 'summary';
  contents: BlockBody[];
  created_at: string;
  app_url: string;
}

export interface PageBody<Item> {
  data: Item[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
  limit: number;
}

export interface CreatedBody {
  thread_id: string;
  message_id: string;
}

export interface PollBody {
  status: 'processing' | 'complete';
  messages?: MessageBody[];
}

export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
  required_scope?: string;
  thread_state?: string;
  errors?: { parameter?: string; pointer?: string; message: string }[];
}
