/** The pages of the settings, and who has them. */
import type { Identity } from '../api/types.js';
import { defineTexts } from '../language/texts.js';

export const settingsPageTexts = defineTexts('settings/settings-pages', {
  account: 'Account',
  tokens: 'API tokens',
  members: 'Members',
  usage: 'Usage',
  feedback: 'Feedback',
});

const settingsPages = ['account', 'tokens', 'members', 'usage', 'feedback'] as const;

export type SettingsPageName = (typeof settingsPages)[number];

export function isSettingsPage(name: string): name is SettingsPageName {
  return settingsPages.some((page) => page === name);
}

/** The pages that the viewer may open. The service refuses the data of the others in any case. */
export function settingsPagesFor({ role }: Identity): SettingsPageName[] {
  return settingsPages.filter((name) => (name !== 'usage' && name !== 'feedback') || role === 'ADMIN');
}
