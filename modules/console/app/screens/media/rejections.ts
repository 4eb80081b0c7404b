/** Why a file was rejected, in the language of the console. Pure. */

const GERMAN: Readonly<Record<string, string>> = {
  size_mismatch: 'Die Dateigröße stimmt nicht überein.',
  digest_mismatch: 'Die SHA-256-Prüfsumme stimmt nicht überein.',
  type_mismatch: 'Der Inhalt der Datei passt nicht zu ihrem Typ.',
  hidden_archive: 'Die Datei enthält ein verstecktes Archiv.',
  active_content: 'Die Datei enthält ein Skript oder andere aktive Inhalte.',
  archive_unreadable: 'Das Archiv ist beschädigt.',
  archive_too_many_entries: 'Das Archiv hat mehr als 10.000 Einträge.',
  archive_too_large: 'Das Archiv ist entpackt größer als 1 GiB.',
  archive_ratio: 'Das Archiv ist entpackt mehr als 100-mal so groß.',
  archive_overlap: 'Das Archiv enthält überlappende Einträge.',
  archive_unsafe_path: 'Das Archiv enthält einen unsicheren Pfad.',
  archive_special_file: 'Das Archiv enthält ein Gerät, eine Pipe oder eine andere Spezialdatei.',
  archive_duplicate: 'Das Archiv enthält zwei Einträge mit demselben Pfad.',
  archive_mismatch: 'Der Inhalt des Archivs stimmt nicht mit seinem Verzeichnis überein.',
  archive_unsupported: 'Das Archiv ist verschlüsselt oder verwendet ein nicht unterstütztes Kompressionsverfahren.',
  archive_link: 'Das Archiv enthält einen Link.',
  archive_nested: 'Das Archiv enthält ein weiteres Archiv.',
  infected: 'Die Datei enthält einen Virus.',
  image_unreadable: 'Das Bild ist beschädigt.',
  image_too_large: 'Das Bild hat zu viele Pixel.',
  changed: 'Die Datei wurde während der Prüfung geändert.',
}

/** The API gives the reason in English. */
export const rejectionText = (
  { code, detail }: { readonly code: string; readonly detail: string },
  language: string,
): string => (language === 'de' && GERMAN[code]) || detail
