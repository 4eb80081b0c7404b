import { type Language, useScreenTexts } from '../../locales/index.ts'

const en = {
  impersonate: 'Act as this person',
  impersonateTitle: 'Act as {name}?',
  impersonateText:
    'For 30 minutes, you see and do what this person may in the workspace. You can’t change their account or API keys. The start, the end and every recorded action appear in the audit log with your name.',
  reason: 'Reason',
  reasonHint: 'At least 10 characters, for example the number of the ticket. The workspace can read it.',
}
type Texts = Readonly<Record<keyof typeof en, string>>

const texts: Readonly<Record<Language, Texts>> = {
  en,
  de: {
    impersonate: 'Als diese Person handeln',
    impersonateTitle: 'Als {name} handeln?',
    impersonateText:
      'Sie sehen und tun 30 Minuten lang, was diese Person im Workspace darf. Konto und API-Schlüssel können Sie nicht ändern. Beginn, Ende und jede protokollierte Aktion erscheinen mit Ihrem Namen im Audit-Protokoll.',
    reason: 'Grund',
    reasonHint: 'Mindestens 10 Zeichen, zum Beispiel die Nummer der Anfrage. Der Workspace kann den Grund lesen.',
  },
}

export const useImpersonateTexts = (): Texts => useScreenTexts(texts)
