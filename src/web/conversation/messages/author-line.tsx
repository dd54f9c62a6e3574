/** Who sent a message. One's own messages need no name. */
import type { Message } from '../../api/types.js';
import { defineTexts } from '../../language/texts.js';
import { displayName } from '../../ui/display-name.js';
import { PersonMark } from '../../ui/person-mark.js';

const texts = defineTexts('conversation/messages/author-line', { nameless: 'A member without a name' });

type Author = NonNullable<Message['author']>;

/** The author, if it is somebody other than the viewer. */
export function otherAuthor({ author }: Message, viewerId: string): Author | null {
  return author && author.id !== viewerId ? author : null;
}

/** The name of the author. */
export function authorName({ name }: Author): string {
  return displayName(name, texts.get().nameless);
}

export function AuthorLine({ author }: { author: Author }) {
  return (
    <p className="quiet-line author">
      <PersonMark {...author} />
      <bdi>{authorName(author)}</bdi>
    </p>
  );
}
