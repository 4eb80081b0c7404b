/** Titles of modules, under which the navigation lists screens. */
import { fieldLabel, type Localized, localized } from '../locales/index.ts'

const GERMAN_AREAS: Readonly<Record<string, string>> = {
  automations: 'Automatisierungen',
  content: 'Inhalte',
  features: 'Flags',
  forms: 'Formulare',
  media: 'Medien',
  billing: 'Abrechnung',
  comms: 'Kommunikation',
  messaging: 'Nachrichten',
  sessions: 'Sitzungen',
  streams: 'Streams',
  webhooks: 'Webhooks',
  identity: 'Personen und Zugriff',
  platform: 'Plattform',
  collections: 'Sammlungen',
}
const ENGLISH_AREAS: Readonly<Record<string, string>> = { comms: 'Communications', identity: 'People and access' }

const AREAS: Localized<Readonly<Record<string, string>>> = { en: ENGLISH_AREAS, de: GERMAN_AREAS }

export const areaTitle = (id: string): string => localized(AREAS)[id] ?? fieldLabel(id)
