/**
 * What people and browsers are called: initials beside a name, and a browser in the list of sessions, from what real ones call
 * themselves.
 */
import { describe, expect, it } from 'vitest';
import { deviceOf } from '../../src/web/settings/account/device.js';
import { initialsOf } from '../../src/web/ui/display-name.js';

it.each([
  ['Ada', 'A'],
  ['ada king lovelace', 'AL'],
  ['Ada Lovelace (Sales)', 'AL'],
  ['Ada (Sales Berlin)', 'A'],
  ['أحمد (فريق)', 'أ'],
  ['Ada – Berlin', 'AB'],
  ['🦊', '🦊'],
  ['(anonymous)', '('],
  [null, '?'],
])('the initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

const like = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0';
const ofWindows = `(Windows NT 10.0; Win64; x64) ${like}`;
const ofLinux = `(X11; Linux x86_64) ${like}`;
const ofAndroid = `(Linux; Android 10; K) ${like}`;

describe('the name of a browser', () => {
  it.each([
    [`Mozilla/5.0 ${ofWindows} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [`Mozilla/5.0 ${ofWindows} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge on Windows'],
    [`Mozilla/5.0 ${ofLinux} Chrome/142.0.0.0 Safari/537.36 OPR/125.0.0.0`, 'Opera on Linux'],
    [`Mozilla/5.0 ${ofLinux} HeadlessChrome/142.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${like} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
    [`Mozilla/5.0 ${ofAndroid} Chrome/142.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
    [
      `Mozilla/5.0 ${ofAndroid} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
    ],
    ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari} Safari/605.1.15`, 'Safari on a Mac'],
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${safari} Safari/604.1`, 'Safari on an iPhone'],
    [`Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) ${like} CriOS/142.0 Safari/604.1`, 'Chrome on an iPad'],
    ['Mozilla/5.0 (Windows NT 10.0; Trident/7.0; rv:11.0) like Gecko', 'A browser on Windows'],
    ['curl/8.5.0', 'curl'],
    ['', 'An unknown browser'],
    [null, 'An unknown browser'],
    ['\u202e<script>', 'An unknown browser'],
  ])('%s', (userAgent, name) => {
    expect(deviceOf(userAgent)).toBe(name);
  });
});
