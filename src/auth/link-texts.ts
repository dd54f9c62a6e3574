/** What the page of a sign-in link says, in the languages of the web application: whoever opens it has chosen none there yet. */

export interface LinkTexts {
  title: string;
  hello: (name: string) => string;
  /** With the address in `{email}`. */
  signInAs: string;
  choose: string;
  chooseHint: (characters: number) => string;
  /** For somebody who has another way to sign in. */
  change: string;
  changeHint: (characters: number) => string;
  signIn: string;
  tooShort: (characters: number) => string;
  tooLong: (characters: number) => string;
  gone: string;
  goneReason: string;
  /** With a link to the sign-in page on the words in brackets. */
  goneRemedy: string;
  tooMany: string;
  tooManyReason: string;
}

const en: LinkTexts = {
  title: 'Welcome to Skein',
  hello: (name) => `Hello ${name}.`,
  signInAs: 'You sign in as {email}.',
  choose: 'Choose a password',
  chooseHint: (characters) =>
    `At least ${characters} characters. A few words that you can remember are better than symbols that you cannot.`,
  change: 'New password (optional)',
  changeHint: (characters) =>
    `Leave it empty to keep things as they are. At least ${characters} characters; a new one signs you out everywhere else.`,
  signIn: 'Sign in',
  tooShort: (characters) => `Use at least ${characters} characters.`,
  tooLong: (characters) => `Use at most ${characters} characters.`,
  gone: 'This link does not work',
  goneReason: 'It was used already, or its time is over: a link signs in once, within a day.',
  goneRemedy: 'Ask an administrator for a new one, or [sign in] in another way.',
  tooMany: 'Too many attempts',
  tooManyReason:
    'Your address has tried to sign in too often. Wait a minute, then open the link again: it still works.',
};

const de: LinkTexts = {
  title: 'Willkommen bei Skein',
  hello: (name) => `Guten Tag, ${name}.`,
  signInAs: 'Sie melden sich als {email} an.',
  choose: 'Passwort wählen',
  chooseHint: (characters) =>
    `Mindestens ${characters} Zeichen. Einige Wörter, die Sie sich merken, sind besser als Zeichen, die Sie vergessen.`,
  change: 'Neues Passwort (freiwillig)',
  changeHint: (characters) =>
    `Lassen Sie es leer, damit alles bleibt, wie es ist. Mindestens ${characters} Zeichen; ein neues meldet Sie überall sonst ab.`,
  signIn: 'Anmelden',
  tooShort: (characters) => `Verwenden Sie mindestens ${characters} Zeichen.`,
  tooLong: (characters) => `Verwenden Sie höchstens ${characters} Zeichen.`,
  gone: 'Dieser Link funktioniert nicht',
  goneReason: 'Er wurde schon verwendet, oder seine Zeit ist um: Ein Link meldet einmal an, innerhalb eines Tages.',
  goneRemedy: 'Bitten Sie einen Administrator um einen neuen, oder [melden Sie sich] auf andere Weise an.',
  tooMany: 'Zu viele Versuche',
  tooManyReason:
    'Von Ihrer Adresse kamen zu viele Anmeldeversuche. Warten Sie eine Minute und öffnen Sie den Link dann noch einmal: Er gilt weiterhin.',
};

const fr: LinkTexts = {
  title: 'Bienvenue sur Skein',
  hello: (name) => `Bonjour ${name}.`,
  signInAs: 'Vous vous connectez en tant que {email}.',
  choose: 'Choisissez un mot de passe',
  chooseHint: (characters) =>
    `Au moins ${characters} caractères. Quelques mots que vous retenez valent mieux que des signes que vous oubliez.`,
  change: 'Nouveau mot de passe (facultatif)',
  changeHint: (characters) =>
    `Laissez-le vide pour ne rien changer. Au moins ${characters} caractères ; un nouveau vous déconnecte partout ailleurs.`,
  signIn: 'Se connecter',
  tooShort: (characters) => `Utilisez au moins ${characters} caractères.`,
  tooLong: (characters) => `Utilisez au plus ${characters} caractères.`,
  gone: 'Ce lien ne fonctionne pas',
  goneReason: 'Il a déjà été utilisé, ou son délai est passé : un lien connecte une seule fois, dans la journée.',
  goneRemedy: 'Demandez-en un nouveau à un administrateur, ou [connectez-vous] autrement.',
  tooMany: 'Trop de tentatives',
  tooManyReason:
    'Votre adresse a fait trop de tentatives de connexion. Attendez une minute, puis rouvrez le lien : il fonctionne toujours.',
};

const es: LinkTexts = {
  title: 'Le damos la bienvenida a Skein',
  hello: (name) => `Hola, ${name}.`,
  signInAs: 'Inicia sesión como {email}.',
  choose: 'Elija una contraseña',
  chooseHint: (characters) =>
    `Al menos ${characters} caracteres. Unas palabras que recuerde son mejores que signos que olvide.`,
  change: 'Contraseña nueva (opcional)',
  changeHint: (characters) =>
    `Déjela vacía para no cambiar nada. Al menos ${characters} caracteres; una nueva cierra su sesión en los demás lugares.`,
  signIn: 'Iniciar sesión',
  tooShort: (characters) => `Use al menos ${characters} caracteres.`,
  tooLong: (characters) => `Use como máximo ${characters} caracteres.`,
  gone: 'Este enlace no funciona',
  goneReason: 'Ya se usó o su plazo terminó: un enlace inicia sesión una sola vez, en el plazo de un día.',
  goneRemedy: 'Pida uno nuevo a un administrador o [inicie sesión] de otra forma.',
  tooMany: 'Demasiados intentos',
  tooManyReason:
    'Desde su dirección se intentó iniciar sesión demasiadas veces. Espere un minuto y abra el enlace de nuevo: sigue siendo válido.',
};

const zh: LinkTexts = {
  title: '欢迎使用 Skein',
  hello: (name) => `${name}，您好。`,
  signInAs: '您将以 {email} 的身份登录。',
  choose: '设置密码',
  chooseHint: (characters) => `至少 ${characters} 个字符。您记得住的几个词，胜过记不住的符号。`,
  change: '新密码（可选）',
  changeHint: (characters) => `留空则保持不变。至少 ${characters} 个字符；设置新密码会让您在其他所有地方退出登录。`,
  signIn: '登录',
  tooShort: (characters) => `请至少使用 ${characters} 个字符。`,
  tooLong: (characters) => `请最多使用 ${characters} 个字符。`,
  gone: '此链接无效',
  goneReason: '它已被使用，或已过期：链接只能在一天之内登录一次。',
  goneRemedy: '请向管理员索取新链接，或以其他方式[登录]。',
  tooMany: '尝试次数过多',
  tooManyReason: '您的地址尝试登录的次数过多。请等待一分钟，然后重新打开链接：它仍然有效。',
};

const ar: LinkTexts = {
  title: 'مرحبًا بك في Skein',
  hello: (name) => `أهلًا ${name}.`,
  signInAs: 'ستسجّل الدخول باسم {email}.',
  choose: 'اختر كلمة مرور',
  chooseHint: (characters) => `الحد الأدنى لعدد الأحرف: ${characters}. بضع كلمات تتذكّرها خير من رموز تنساها.`,
  change: 'كلمة مرور جديدة (اختيارية)',
  changeHint: (characters) =>
    `اتركها فارغة ليبقى كل شيء كما هو. الحد الأدنى لعدد الأحرف: ${characters}؛ كلمة المرور الجديدة تسجّل خروجك من كل مكان آخر.`,
  signIn: 'تسجيل الدخول',
  tooShort: (characters) => `الحد الأدنى لعدد الأحرف: ${characters}.`,
  tooLong: (characters) => `الحد الأقصى لعدد الأحرف: ${characters}.`,
  gone: 'هذا الرابط لا يعمل',
  goneReason: 'استُخدم من قبل، أو انتهت مدته: يسجّل الرابط الدخول مرة واحدة خلال يوم.',
  goneRemedy: 'اطلب من مسؤول رابطًا جديدًا، أو [سجّل الدخول] بطريقة أخرى.',
  tooMany: 'محاولات كثيرة',
  tooManyReason: 'حاول عنوانك تسجيل الدخول مرات كثيرة. انتظر دقيقة ثم افتح الرابط من جديد: ما زال صالحًا.',
};

export const linkTexts = { en, de, fr, es, zh, ar };

export type LinkLanguage = keyof typeof linkTexts;

/** The first is for those who have none of them. */
export const linkLanguages = Object.keys(linkTexts) as LinkLanguage[];
