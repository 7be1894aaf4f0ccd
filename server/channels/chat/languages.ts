/** A language of templates. */
interface Language {
  /** The interface's own code, which A1 returns as a string (decisions, section 2). */
  readonly number: number;
  /** The platform's code. */
  readonly code: string;
  readonly name: string;
}

/** The platform's languages as of May 2026. Numbers never change: add new languages at the end. */
const table: readonly (readonly [number: number, code: string, name: string])[] = [
  [1, 'he', 'Hebrew'],
  [2, 'en', 'English'],
  [3, 'ar', 'Arabic'],
  [4, 'ru', 'Russian'],
  [5, 'en_US', 'English (US)'],
  [6, 'en_GB', 'English (UK)'],
  [7, 'fr', 'French'],
  [8, 'es', 'Spanish'],
  [9, 'de', 'German'],
  [10, 'it', 'Italian'],
  [11, 'pt_BR', 'Portuguese (Brazil)'],
  [12, 'pt_PT', 'Portuguese (Portugal)'],
  [13, 'uk', 'Ukrainian'],
  [14, 'ro', 'Romanian'],
  [15, 'tr', 'Turkish'],
  [16, 'fa', 'Persian'],
  [17, 'af', 'Afrikaans'],
  [18, 'sq', 'Albanian'],
  [19, 'ar_EG', 'Arabic (Egypt)'],
  [20, 'ar_AE', 'Arabic (Emirates)'],
  [21, 'ar_LB', 'Arabic (Lebanon)'],
  [22, 'ar_MA', 'Arabic (Morocco)'],
  [23, 'ar_QA', 'Arabic (Qatar)'],
  [24, 'az', 'Azerbaijani'],
  [25, 'be_BY', 'Belarusian'],
  [26, 'bn', 'Bengali'],
  [27, 'bn_IN', 'Bengali (India)'],
  [28, 'bg', 'Bulgarian'],
  [29, 'ca', 'Catalan'],
  [30, 'zh_CN', 'Chinese (China)'],
  [31, 'zh_HK', 'Chinese (Hong Kong)'],
  [32, 'zh_TW', 'Chinese (Taiwan)'],
  [33, 'hr', 'Croatian'],
  [34, 'cs', 'Czech'],
  [35, 'da', 'Danish'],
  [36, 'prs_AF', 'Dari'],
  [37, 'nl', 'Dutch'],
  [38, 'nl_BE', 'Dutch (Belgium)'],
  [39, 'en_AE', 'English (Emirates)'],
  [40, 'en_AU', 'English (Australia)'],
  [41, 'en_CA', 'English (Canada)'],
  [42, 'en_GH', 'English (Ghana)'],
  [43, 'en_IE', 'English (Ireland)'],
  [44, 'en_IN', 'English (India)'],
  [45, 'en_JM', 'English (Jamaica)'],
  [46, 'en_MY', 'English (Malaysia)'],
  [47, 'en_NZ', 'English (New Zealand)'],
  [48, 'en_QA', 'English (Qatar)'],
  [49, 'en_SG', 'English (Singapore)'],
  [50, 'en_UG', 'English (Uganda)'],
  [51, 'en_ZA', 'English (South Africa)'],
  [52, 'et', 'Estonian'],
  [53, 'fil', 'Filipino'],
  [54, 'fi', 'Finnish'],
  [55, 'fr_BE', 'French (Belgium)'],
  [56, 'fr_CA', 'French (Canada)'],
  [57, 'fr_CH', 'French (Switzerland)'],
  [58, 'fr_CI', 'French (Ivory Coast)'],
  [59, 'fr_MA', 'French (Morocco)'],
  [60, 'ka', 'Georgian'],
  [61, 'de_AT', 'German (Austria)'],
  [62, 'de_CH', 'German (Switzerland)'],
  [63, 'el', 'Greek'],
  [64, 'gu', 'Gujarati'],
  [65, 'ha', 'Hausa'],
  [66, 'hi', 'Hindi'],
  [67, 'hu', 'Hungarian'],
  [68, 'id', 'Indonesian'],
  [69, 'ga', 'Irish'],
  [70, 'ja', 'Japanese'],
  [71, 'kn', 'Kannada'],
  [72, 'kk', 'Kazakh'],
  [73, 'rw_RW', 'Kinyarwanda'],
  [74, 'ko', 'Korean'],
  [75, 'ky_KG', 'Kyrgyz'],
  [76, 'lo', 'Lao'],
  [77, 'lv', 'Latvian'],
  [78, 'lt', 'Lithuanian'],
  [79, 'mk', 'Macedonian'],
  [80, 'ms', 'Malay'],
  [81, 'ml', 'Malayalam'],
  [82, 'mr', 'Marathi'],
  [83, 'nb', 'Norwegian'],
  [84, 'ps_AF', 'Pashto'],
  [85, 'pl', 'Polish'],
  [86, 'pa', 'Punjabi'],
  [87, 'sr', 'Serbian'],
  [88, 'si_LK', 'Sinhala'],
  [89, 'sk', 'Slovak'],
  [90, 'sl', 'Slovenian'],
  [91, 'es_AR', 'Spanish (Argentina)'],
  [92, 'es_CL', 'Spanish (Chile)'],
  [93, 'es_CO', 'Spanish (Colombia)'],
  [94, 'es_CR', 'Spanish (Costa Rica)'],
  [95, 'es_DO', 'Spanish (Dominican Republic)'],
  [96, 'es_EC', 'Spanish (Ecuador)'],
  [97, 'es_HN', 'Spanish (Honduras)'],
  [98, 'es_MX', 'Spanish (Mexico)'],
  [99, 'es_PA', 'Spanish (Panama)'],
  [100, 'es_PE', 'Spanish (Peru)'],
  [101, 'es_ES', 'Spanish (Spain)'],
  [102, 'es_UY', 'Spanish (Uruguay)'],
  [103, 'sw', 'Swahili'],
  [104, 'sv', 'Swedish'],
  [105, 'ta', 'Tamil'],
  [106, 'te', 'Telugu'],
  [107, 'th', 'Thai'],
  [108, 'ur', 'Urdu'],
  [109, 'uz', 'Uzbek'],
  [110, 'vi', 'Vietnamese'],
  [111, 'zu', 'Zulu'],
];

export const languages: readonly Language[] = table.map(([number, code, name]) => ({ number, code, name }));

const byNumber = new Map(languages.map((language) => [String(language.number), language]));
const byCode = new Map(languages.map((language) => [language.code.toLowerCase(), language]));

/** Returns a language by the interface's number or the platform's code, without case; undefined for unknown ones. */
export function findLanguage(given: string): Language | undefined {
  return byNumber.get(given) ?? byCode.get(given.toLowerCase());
}

/** Returns the interface's code for a language of the platform, as in A1: `'1'` for `he`; `'0'` for an unknown one. */
export function languageNumber(code: string): string {
  return String(byCode.get(code.toLowerCase())?.number ?? 0);
}
