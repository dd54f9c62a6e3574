/** The line above a block of code: its language, and buttons to copy it, to wrap its lines and to save it as a file. */
import Download from 'lucide-react/icons/download';
import WrapText from 'lucide-react/icons/wrap-text';
import { defineTexts, useTexts } from '../../language/texts.js';
import { IconButton } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { importWithRetry } from '../../ui/state/import-with-retry.js';

const texts = defineTexts('conversation/markdown/code-tools', {
  code: 'Code',
  wrap: 'Wrap lines',
  download: 'Download code',
  copy: 'Copy code',
});

export interface CodeToolsProps {
  /** The word after the fence; empty if there is none. */
  language: string;
  /** The code as it is shown now. */
  code: () => string;
  isWrapped: boolean;
  onWrap: (isWrapped: boolean) => void;
}

export function CodeTools({ language, code, isWrapped, onWrap }: CodeToolsProps) {
  const t = useTexts(texts);
  const save = async () => {
    const text = code();
    const { saveCode } = await importWithRetry(() => import('./save-code.js'));
    saveCode(language, text);
  };
  return (
    <div className="code-tools">
      <span className="code-language one-line">{language || t.code}</span>
      <IconButton icon={WrapText} label={t.wrap} small aria-pressed={isWrapped} onClick={() => onWrap(!isWrapped)} />
      <IconButton icon={Download} label={t.download} small onClick={() => void save()} />
      <CopyButton label={t.copy} small text={code} />
    </div>
  );
}
