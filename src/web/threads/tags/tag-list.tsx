/** The tags of a thread in the header of its conversation. */
import { cleanText } from '../../ui/display-name.js';
import './tag-list.css';

export default function TagList({ tags }: { tags: readonly string[] }) {
  return (
    <ul className="tag-list" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag} className="tag">
          <bdi>{cleanText(tag)}</bdi>
        </li>
      ))}
    </ul>
  );
}
