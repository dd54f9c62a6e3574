/** Shows who else is in a thread, in its header or below its messages. Both are one component, so that one file is loaded. */
import { PresentPeople } from './present-people.js';
import { WritingLine } from './writing-line.js';
import './presence.css';

export interface PresenceViewProps {
  threadId: string;
  place: 'head' | 'foot';
}

export default function PresenceView({ threadId, place }: PresenceViewProps) {
  return place === 'head' ? <PresentPeople threadId={threadId} /> : <WritingLine threadId={threadId} />;
}
