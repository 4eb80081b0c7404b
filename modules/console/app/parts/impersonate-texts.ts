import { bilingual } from '../locales/bilingual.ts'
import { useScreenTexts } from '../locales/index.ts'

const texts = bilingual({
  impersonate: ['Act as this person', 'Als diese Person handeln'],
  impersonateTitle: ['Act as {name}?', 'Als {name} handeln?'],
  impersonateText: [
    'For 30 minutes, you see and do what this person may in the workspace. You can’t change their account or API keys. The start, the end and every recorded action appear in the audit log with your name.',
    'Sie sehen und tun 30 Minuten lang, was diese Person im Workspace darf. Konto und API-Schlüssel können Sie nicht ändern. Beginn, Ende und jede protokollierte Aktion erscheinen mit Ihrem Namen im Audit-Protokoll.',
  ],
  reasonHint: [
    'At least 10 characters, for example the number of the ticket. The workspace can read it.',
    'Mindestens 10 Zeichen, zum Beispiel die Nummer der Anfrage. Der Workspace kann den Grund lesen.',
  ],
  turnOn: [
    'Operators can act as users once the recipe says so. Add this line under `modules.identity`, and apply the recipe:',
    'Betreiber können als andere Personen handeln, sobald das Rezept es erlaubt. Ergänzen Sie diese Zeile unter `modules.identity`, und wenden Sie das Rezept an:',
  ],
  notPossible: [
    'Nobody can act as an operator, as themselves or as a person without a workspace.',
    'Als Betreiber, als man selbst oder als Person ohne Workspace kann niemand handeln.',
  ],
})

export const useImpersonateTexts = () => useScreenTexts(texts)
