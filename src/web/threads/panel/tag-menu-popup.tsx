/** The tags in use in a menu, the most frequent first. */
import Check from 'lucide-react/icons/check';
import Tag from 'lucide-react/icons/tag';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { tagKey } from '../../../contract.js';
import { tagsInUseQuery } from '../../api/late/tag-documents.js';
import { useQuery } from '../../api/use-query.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { cleanText } from '../../ui/display-name.js';
import type { MenuFrame, MenuItem } from '../../ui/menu.js';
import { MenuPopup } from '../../ui/menu-popup.js';

const texts = defineTexts('threads/panel/tag-menu-popup', {
  any: 'With any tags or none',
  none: 'No thread has a tag yet',
});

export interface TagMenuProps {
  tag: string | null;
  onChoose: (tag: string | null) => void;
}

export default function TagMenuPopup({ tag: chosen, onChoose, ...frame }: TagMenuProps & MenuFrame) {
  const t = useTexts(texts);
  const { found, problem, isLoading } = useQuery(tagsInUseQuery, {});
  // The menu keeps the items that it opens with.
  if (isLoading) return null;
  const nothing = (icon: MenuItem['icon'], label: string) => ({ id: 'nothing', icon, label, run: () => undefined });
  const tags = found?.threadTags ?? [];
  const isChosen = (tag: string) => chosen !== null && tagKey(chosen) === tagKey(tag);
  const items: MenuItem[] = [
    { id: 'any', icon: chosen === null ? Check : Tag, label: t.any, run: () => onChoose(null) },
    ...tags.map((tag) => ({
      id: `tag ${tag}`,
      icon: isChosen(tag) ? Check : Tag,
      label: cleanText(tag),
      run: () => onChoose(tag),
    })),
    ...(problem === null ? [] : [nothing(TriangleAlert, problem)]),
    ...(problem === null && tags.length === 0 ? [nothing(Tag, t.none)] : []),
  ];
  return <MenuPopup {...frame} items={items} />;
}
