/** Who sent a message. One's own messages need no name. */
import type { Message } from '../../api/types.js';
import { memberName } from '../../ui/display-name.js';
import { PersonMark } from '../../ui/person-mark.js';

type Author = NonNullable<Message['author']>;

/** The author, if it is somebody other than the viewer. */
export function otherAuthor({ author }: Message, viewerId: string): Author | null {
  return author && author.id !== viewerId ? author : null;
}

export function AuthorLine({ author }: { author: Author }) {
  return (
    <p className="quiet-line author">
      <PersonMark {...author} />
      <bdi>{memberName(author.name)}</bdi>
    </p>
  );
}
