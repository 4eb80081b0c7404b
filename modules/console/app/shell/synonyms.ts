/** Words by which people look for a screen that has another name, in the languages of the console. Pure. */
import { folded } from '../../../../kernel/base/folding.ts'

/** Each of a line finds what another one of it names. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['people', 'users', 'customers', 'accounts', 'personen', 'nutzer', 'benutzer', 'kunden', 'konten'],
  ['members', 'team', 'colleagues', 'staff', 'mitglieder', 'kollegen', 'mitarbeiter'],
  ['invite', 'add people', 'einladen', 'hinzufügen'],
  ['workspaces', 'tenants', 'organizations', 'companies', 'organisationen', 'firmen', 'mandanten'],
  ['roles', 'permissions', 'rights', 'rollen', 'berechtigungen', 'rechte'],
  ['emails', 'mails', 'letters', 'e-mails', 'post'],
  ['suppression', 'blocked addresses', 'bounces', 'sperrliste', 'gesperrte adressen', 'abbestellt'],
  ['plan', 'subscription', 'pricing', 'prices', 'tarif', 'abo', 'abonnement', 'preise'],
  ['credits', 'balance', 'guthaben', 'kontostand'],
  ['entitlements', 'limits', 'quotas', 'kontingente', 'grenzen'],
  ['files', 'images', 'media', 'uploads', 'pictures', 'dateien', 'bilder', 'medien'],
  ['pages', 'site', 'website', 'cms', 'seiten', 'webseite'],
  ['menus', 'navigation', 'menüs'],
  ['flags', 'toggles', 'experiments', 'rollout', 'schalter', 'experimente'],
  ['webhook', 'hooks', 'callbacks', 'integration'],
  ['conversations', 'messages', 'chat', 'support', 'inbox', 'unterhaltungen', 'nachrichten', 'posteingang'],
  ['audit', 'history', 'protocol', 'verlauf', 'protokoll'],
  ['api keys', 'tokens', 'secrets', 'api-schlüssel', 'schlüssel'],
  ['failed events', 'dead letters', 'failed deliveries', 'fehlgeschlagene ereignisse', 'zustellungen'],
  ['signed-in devices', 'sign-ins', 'logins', 'sessions', 'angemeldete geräte', 'anmeldungen', 'sitzungen'],
  ['jobs', 'queue', 'background tasks', 'aufgaben', 'warteschlange'],
  ['log', 'errors', 'protokoll', 'fehler'],
  ['settings', 'configuration', 'environment', 'einstellungen', 'konfiguration'],
  ['new', 'create', 'add', 'neu', 'erstellen', 'anlegen'],
  ['dark', 'night', 'dunkel', 'nacht'],
  ['light', 'day', 'hell', 'tag'],
].map(words => words.map(folded))

/** The names, and the words that mean the same as one of theirs. */
export function withSynonyms(names: string): string {
  const text = folded(names)
  const words = SYNONYMS.filter(line => line.some(word => text.includes(word)))
  return [text, ...words.flat()].join(' ')
}
