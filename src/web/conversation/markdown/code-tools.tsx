/** The line above a block of code: its language, and buttons to copy it, to wrap its lines and to save it as a file. */
import Download from 'lucide-react/icons/download';
import WrapText from 'lucide-react/icons/wrap-text';
import { IconButton } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { importWithRetry } from '../../ui/state/import-with-retry.js';

export interface CodeToolsProps {
  /** The word after the fence; empty if there is none. */
  language: string;
  /** The code as it is shown now. */
  code: () => string;
  isWrapped: boolean;
  onWrap: (isWrapped: boolean) => void;
}

export function CodeTools({ language, code, isWrapped, onWrap }: CodeToolsProps) {
  const save = async () => {
    const text = code();
    const { saveCode } = await importWithRetry(() => import('./save-code.js'));
    saveCode(language, text);
  };
  return (
    <div className="code-tools">
      <span className="code-language">{language || 'Code'}</span>
      <IconButton
        icon={WrapText}
        label="Wrap lines"
        small
        aria-pressed={isWrapped}
        onClick={() => onWrap(!isWrapped)}
      />
      <IconButton icon={Download} label="Download code" small onClick={() => void save()} />
      <CopyButton label="Copy code" small text={code} />
    </div>
  );
}
