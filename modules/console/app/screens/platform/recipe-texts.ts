import { bilingual } from '../../public.ts'

export const recipeTexts = bilingual({
  current: ['matches the file', 'stimmt mit der Datei überein'],
  changed: ['file has changed', 'Datei wurde geändert'],
  invalid: ['file is invalid', 'Datei ist ungültig'],
  checkAgain: ['Check the file again', 'Datei erneut prüfen'],
  running: [
    'Process {process} has run this recipe since {since}. Each process keeps the recipe that it read at its start.',
    'Der Prozess {process} verwendet dieses Rezept seit {since}. Jeder Prozess behält das Rezept, das er beim Start gelesen hat.',
  ],
  changedTitle: ['Changes that a restart applies', 'Änderungen, die ein Neustart anwendet'],
  changedText: [
    '{file} has changed since the start. Restart all processes to apply the changes.',
    '{file} wurde seit dem Start geändert. Starten Sie alle Prozesse neu, um die Änderungen anzuwenden.',
  ],
  secretsChanged: ['Only values that are masked have changed.', 'Nur maskierte Werte wurden geändert.'],
  invalidTitle: ['The file has errors', 'Die Datei enthält Fehler'],
  invalidText: [
    '{file} has changed since the start and has errors. The product keeps running, but could not start with it.',
    '{file} wurde seit dem Start geändert und enthält Fehler. Das Produkt läuft weiter, könnte damit aber nicht starten.',
  ],
  warnings: ['Warnings', 'Warnungen'],
  place: ['{file}, line {line}, column {column}', '{file}, Zeile {line}, Spalte {column}'],
  runningTitle: ['Running recipe', 'Laufendes Rezept'],
})
