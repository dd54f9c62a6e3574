/** The pages of the settings, and who has them. */
import type { Identity } from '../api/types.js';

export const settingsPages = {
  account: 'Account',
  tokens: 'API tokens',
  members: 'Members',
  usage: 'Usage',
  feedback: 'Feedback',
} as const;

export type SettingsPageName = keyof typeof settingsPages;

export function isSettingsPage(name: string): name is SettingsPageName {
  return Object.hasOwn(settingsPages, name);
}

/** The pages that the viewer may open. The service refuses the data of the others in any case. */
export function settingsPagesFor({ role }: Identity): SettingsPageName[] {
  return Object.keys(settingsPages)
    .filter(isSettingsPage)
    .filter((name) => (name !== 'usage' && name !== 'feedback') || role === 'ADMIN');
}
