/** What a post comes to: the message that was stored, whose response is queued. */
export interface PostedMessage {
  threadId: string;
  messageId: string;
}
