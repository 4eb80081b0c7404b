import type { Language } from '../../locales/index.ts'

const en = {
  current: 'matches the file',
  changed: 'file has changed',
  invalid: 'file is invalid',
  checkAgain: 'Check the file again',
  running:
    'Process {process} has run this recipe since {since}. Each process keeps the recipe that it read at its start.',
  changedTitle: 'Changes that a restart applies',
  changedText: '{file} has changed since the start. Restart all processes to apply the changes.',
  secretsChanged: 'Only values that are masked have changed.',
  invalidTitle: 'The file has errors',
  invalidText:
    '{file} has changed since the start and has errors. The product keeps running, but could not start with it.',
  warnings: 'Warnings',
  place: '{file}, line {line}, column {column}',
  runningTitle: 'Running recipe',
}
type Texts = Readonly<Record<keyof typeof en, string>>

export const recipeTexts: Readonly<Record<Language, Texts>> = {
  en,
  de: {
    current: 'stimmt mit der Datei überein',
    changed: 'Datei wurde geändert',
    invalid: 'Datei ist ungültig',
    checkAgain: 'Datei erneut prüfen',
    running:
      'Der Prozess {process} verwendet dieses Rezept seit {since}. Jeder Prozess behält das Rezept, das er beim Start gelesen hat.',
    changedTitle: 'Änderungen, die ein Neustart anwendet',
    changedText: '{file} wurde seit dem Start geändert. Starten Sie alle Prozesse neu, um die Änderungen anzuwenden.',
    secretsChanged: 'Nur maskierte Werte wurden geändert.',
    invalidTitle: 'Die Datei enthält Fehler',
    invalidText:
      '{file} wurde seit dem Start geändert und enthält Fehler. Das Produkt läuft weiter, könnte damit aber nicht starten.',
    warnings: 'Warnungen',
    place: '{file}, Zeile {line}, Spalte {column}',
    runningTitle: 'Laufendes Rezept',
  },
}
