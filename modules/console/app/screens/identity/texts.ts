import type { Language } from '../../locales/index.ts'

const en = {
  permissions: 'Permissions',
  name: 'Name',
  key: 'Key',
  keyHint: 'Lowercase words joined by dots, such as team.support. Can’t be changed later.',
  filter: 'Filter permissions',
  chosen: '{count} selected',
  builtIn: 'Built-in roles can’t be changed.',
  notHeld: 'You can’t grant permissions you don’t hold.',
  noMatch: 'No permission matches.',
  others: 'Other permissions',
}
type Texts = Readonly<Record<keyof typeof en, string>>

export const texts: Readonly<Record<Language, Texts>> = {
  en,
  de: {
    permissions: 'Berechtigungen',
    name: 'Name',
    key: 'Schlüssel',
    keyHint:
      'Kleingeschriebene Wörter, mit Punkten verbunden, zum Beispiel team.support. Kann später nicht geändert werden.',
    filter: 'Berechtigungen filtern',
    chosen: '{count} ausgewählt',
    builtIn: 'Vordefinierte Rollen können nicht geändert werden.',
    notHeld: 'Sie können keine Berechtigungen vergeben, die Sie nicht besitzen.',
    noMatch: 'Keine Berechtigung entspricht dem Filter.',
    others: 'Weitere Berechtigungen',
  },
}
