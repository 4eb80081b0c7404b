/** What a provider could return instead of an address of the domain. By what is wrong with it. */
export const HOSTILE_ADDRESSES: Readonly<Record<string, (domain: string) => string>> = {
  'a list of addresses': domain => `x@evil.test,boss@${domain}`,
  'a line break': domain => `x@evil.test\r\nbcc:boss@${domain}`,
  'a name around it': domain => `"Boss" <boss@${domain}>`,
  markup: domain => `<b>boss</b>@${domain}`,
  'a mark of the writing direction': domain => `bo\u202ess@${domain}`,
  'a mark that shows nothing': domain => `bo\u200bss@${domain}`,
  'a null character': domain => `boss\0@${domain}`,
  'a space': domain => `big boss@${domain}`,
  'a quoted part': domain => `"x@evil.test"@${domain}`,
  '300 letters': domain => `${'a'.repeat(300)}@${domain}`,
  'a part of 65 letters': domain => `${'a'.repeat(65)}@${domain}`,
  'no part before the sign': domain => `@${domain}`,
  'an encoded word': domain => `=?utf-8?B?eA==?=@evil.test@${domain}`,
}
