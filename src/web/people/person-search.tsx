/** A search for one member of the organization, with what can be chosen in place of one. */
import Check from 'lucide-react/icons/check';
import User from 'lucide-react/icons/user';
import { CloseButton } from '../ui/common-buttons.js';
import { Dialog } from '../ui/dialog.js';
import { displayName } from '../ui/display-name.js';
import { Problem } from '../ui/problem.js';
import { SearchField } from './search-field.js';
import { useMembers } from './use-members.js';
import '../ui/menu.css';
import './person-search.css';

const shownPeople = 20;

export interface Choice {
  id: string;
  name: string;
}

export interface PersonSearchProps {
  title: string;
  /** What can be chosen in place of a member. */
  others: readonly Choice[];
  chosenId: string;
  /** The id of a member who cannot be chosen. */
  exceptId?: string;
  onChoose: (choice: Choice) => void;
  onClose: () => void;
}

export default function PersonSearch({ title, others, chosenId, exceptId, onChoose, onClose }: PersonSearchProps) {
  // One more shows that there are more, and one may be left out.
  const { written, setWritten, members } = useMembers(shownPeople + 2);
  const found = members.items?.filter(({ id }) => id !== exceptId);
  const shown = found
    ?.slice(0, shownPeople)
    .map(({ id, name, email }) => ({ id, name: displayName(name, email), email }))
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  const option = (choice: Choice, email = '') => {
    const isChosen = choice.id === chosenId;
    const Icon = isChosen ? Check : User;
    const choose = () => {
      onClose();
      onChoose(choice);
    };
    return (
      <li key={choice.id}>
        <button type="button" className="menu-item" aria-pressed={isChosen} onClick={choose}>
          <Icon />
          <span>
            <bdi>{choice.name}</bdi> {email !== choice.name && <bdi className="field-hint">{email}</bdi>}
          </span>
        </button>
      </li>
    );
  };
  return (
    <Dialog title={title} onClose={onClose} isDismissible className="person-search">
      <SearchField
        written={written}
        onWrite={setWritten}
        shown={shown?.length}
        hasMore={(found?.length ?? 0) > shownPeople}
      />
      <Problem message={members.problem} />
      <ul>
        {others.map((other) => option(other))}
        {shown?.map(({ email, ...person }) => option(person, email))}
      </ul>
      <div className="buttons buttons-end">
        <CloseButton onClick={onClose} />
      </div>
    </Dialog>
  );
}
