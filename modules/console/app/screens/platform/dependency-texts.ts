import type { Language } from '../../locales/index.ts'

const en = {
  dependencies: 'Dependencies',
  hint: 'Which modules use ports of other modules. Core services such as the database are not shown.',
  hintEvents: 'Which modules listen to events of other modules.',
  show: 'Show',
  ports: 'Ports',
  events: 'Events',
  module: 'Module',
  noModule: 'All',
  needs: 'needs',
  optional: 'uses if installed',
  event: 'listens to',
  connections: 'Connections',
  relation: 'Connection',
  port: 'Port',
  eventType: 'Event',
  of: 'Of module',
  none: 'No connections',
  noneText: 'No module is connected to another one in this way.',
  noneOfModule: 'This module uses no other module, and no other module uses it.',
}
type Texts = Readonly<Record<keyof typeof en, string>>

export const dependencyTexts: Readonly<Record<Language, Texts>> = {
  en,
  de: {
    dependencies: 'Abhängigkeiten',
    hint: 'Welche Module Ports anderer Module verwenden. Kerndienste wie die Datenbank werden nicht angezeigt.',
    hintEvents: 'Welche Module auf Ereignisse anderer Module hören.',
    show: 'Anzeigen',
    ports: 'Ports',
    events: 'Ereignisse',
    module: 'Modul',
    noModule: 'Alle',
    needs: 'benötigt',
    optional: 'verwendet, falls installiert',
    event: 'hört auf',
    connections: 'Verbindungen',
    relation: 'Verbindung',
    port: 'Port',
    eventType: 'Ereignis',
    of: 'Von Modul',
    none: 'Keine Verbindungen',
    noneText: 'Kein Modul ist auf diese Weise mit einem anderen verbunden.',
    noneOfModule: 'Dieses Modul verwendet kein anderes Modul und wird von keinem verwendet.',
  },
}
