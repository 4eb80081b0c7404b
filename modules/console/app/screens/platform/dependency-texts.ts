import { bilingual } from '../../public.ts'

export const dependencyTexts = bilingual({
  dependencies: ['Dependencies', 'Abhängigkeiten'],
  hint: [
    'Which modules use ports of other modules. Core services such as the database are not shown.',
    'Welche Module Ports anderer Module verwenden. Kerndienste wie die Datenbank werden nicht angezeigt.',
  ],
  hintEvents: [
    'Which modules listen to events of other modules.',
    'Welche Module auf Ereignisse anderer Module hören.',
  ],
  show: 'Show',
  ports: ['Ports', 'Ports'],
  events: 'Events',
  module: 'Module',
  noModule: 'All',
  needs: ['needs', 'benötigt'],
  optional: ['uses if installed', 'verwendet, falls installiert'],
  event: ['listens to', 'hört auf'],
  connections: ['Connections', 'Verbindungen'],
  relation: 'Connection',
  port: ['Port', 'Port'],
  eventType: 'Event',
  of: ['Of module', 'Von Modul'],
  none: ['No connections', 'Keine Verbindungen'],
  noneText: [
    'No module is connected to another one in this way.',
    'Kein Modul ist auf diese Weise mit einem anderen verbunden.',
  ],
  noneOfModule: [
    'This module uses no other module, and no other module uses it.',
    'Dieses Modul verwendet kein anderes Modul und wird von keinem verwendet.',
  ],
})
