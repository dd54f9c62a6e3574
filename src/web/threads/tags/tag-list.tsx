/** The tags of a thread in the header of its conversation. */
import { defineTexts, useTexts } from '../../language/texts.js';
import { cleanText } from '../../ui/display-name.js';
import './tag-list.css';

const texts = defineTexts('threads/tags/tag-list', { tags: 'Tags' });

export default function TagList({ tags }: { tags: readonly string[] }) {
  return (
    <ul className="tag-list" aria-label={useTexts(texts).tags}>
      {tags.map((tag) => (
        <li key={tag} className="tag">
          <bdi className="one-line">{cleanText(tag)}</bdi>
        </li>
      ))}
    </ul>
  );
}
