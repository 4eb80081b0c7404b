import { bilingual } from '../../locales/bilingual.ts'
import { useScreenTexts } from '../../locales/index.ts'

const texts = bilingual({
  emails: ['Emails', 'E-Mails'],
  changePlan: ['Change plan', 'Tarif ändern'],
  planTitle: ['Change the plan of {name}', 'Tarif von {name} ändern'],
  planText: [
    'The new plan applies at once. The default plan ends the subscription.',
    'Der neue Tarif gilt sofort. Der Standardtarif beendet das Abonnement.',
  ],
  newPlan: ['New plan', 'Neuer Tarif'],
  choosePlan: ['Choose a plan', 'Tarif auswählen'],
  planChanged: ['Plan changed.', 'Tarif geändert.'],
  paymentTitle: ['Payment is needed first', 'Zuerst ist eine Zahlung nötig'],
  paymentText: [
    'The plan changes as soon as the workspace has paid. Send this address to an owner:',
    'Der Tarif ändert sich, sobald der Workspace bezahlt hat. Senden Sie einem Inhaber diese Adresse:',
  ],
  changeCredits: ['Grant or refund credits', 'Guthaben gutschreiben oder erstatten'],
  creditsTitle: ['Credits of {name}', 'Guthaben von {name}'],
  credits: ['Credits', 'Guthaben'],
  balance: ['The balance is {count}.', 'Der Stand ist {count}.'],
  change: ['Change', 'Änderung'],
  grant: ['Grant credits', 'Guthaben gutschreiben'],
  refund: ['Refund a consumption', 'Verbrauch erstatten'],
  takeBack: ['Take credits back', 'Guthaben zurücknehmen'],
  amount: ['Amount', 'Menge'],
  refundOf: ['ID of the consumption', 'ID des Verbrauchs'],
  refundHint: [
    'The entry of the credit transactions, such as `crd_01k…`.',
    'Der Eintrag der Guthabenbuchungen, zum Beispiel `crd_01k…`.',
  ],
  creditsChanged: ['Credits changed.', 'Guthaben geändert.'],
  suspend: ['Suspend', 'Sperren'],
  suspendTitle: ['Suspend {name}?', '{name} sperren?'],
  suspendText: [
    'Members, API keys and visitors are refused until the workspace is resumed. Its jobs and webhooks wait. Nothing is deleted.',
    'Mitglieder, API-Schlüssel und Besucher haben keinen Zugriff mehr, bis der Workspace freigegeben wird. Jobs und Webhooks warten. Nichts wird gelöscht.',
  ],
  suspended: ['Workspace suspended.', 'Workspace gesperrt.'],
  suspendedBadge: ['Suspended', 'Gesperrt'],
  suspendedNotice: ['Suspended since {date}: {reason}', 'Gesperrt seit {date}: {reason}'],
  resume: ['Resume', 'Freigeben'],
  resumeTitle: ['Resume {name}?', '{name} freigeben?'],
  resumeText: [
    'Members, API keys and visitors get access again, and everything that waits goes on.',
    'Mitglieder, API-Schlüssel und Besucher haben wieder Zugriff, und alles, was wartet, geht weiter.',
  ],
  resumed: ['Workspace resumed.', 'Workspace freigegeben.'],
  deleteWorkspace: ['Delete workspace', 'Workspace löschen'],
  deleteTitle: ['Delete {name}?', '{name} löschen?'],
  deleteText: [
    'Access ends immediately, and all data of the workspace is deleted. It can’t be restored. The accounts of its members stay.',
    'Der Zugriff endet sofort, und alle Daten des Workspace werden gelöscht. Sie lassen sich nicht wiederherstellen. Die Konten der Mitglieder bleiben.',
  ],
  deleteName: ['To confirm, enter the name: {name}', 'Geben Sie zur Bestätigung den Namen ein: {name}'],
  deleteReason: [
    'The owners get it by email. It stays in the audit log of the installation.',
    'Die Inhaber erhalten ihn per E-Mail. Er bleibt im Audit-Protokoll der Installation.',
  ],
  deleted: ['Workspace deleted.', 'Workspace gelöscht.'],
  mailedReason: [
    'The owners get it by email. It is also in the audit log.',
    'Die Inhaber erhalten ihn per E-Mail. Er steht auch im Audit-Protokoll.',
  ],
  loggedReason: [
    'For example the number of the ticket. The workspace can read it in its audit log.',
    'Zum Beispiel die Nummer der Anfrage. Der Workspace kann den Grund in seinem Audit-Protokoll lesen.',
  ],
})

export const useWorkspaceTexts = () => useScreenTexts(texts)
