import { defineOperatorErrors } from '../../kernel/internal.ts'

export const errors = defineOperatorErrors({
  backup_exists: ['{file} already exists.', 'Choose another name, for example one with the date.'],
  backup_folder_missing: ['The folder {folder} does not exist.', 'Create it, or write the archive to another one.'],
  backup_full: [
    '{folder} has no space left for {file}.',
    'Free some space, or write the archive to another disk. Nothing is left of it, and the database is unchanged.',
  ],
  backup_no_database: [
    'There is no database yet.',
    'Set DATABASE_URL, or LARDER_DATA to the folder of the embedded database.',
  ],
  backup_file_missing: [
    'The storage has no file {key}, which the database names.',
    'Restore the file, or delete its entry, and back up again. To back up without files, pass --without-files.',
  ],
  backup_truncated: ['{file} is incomplete: it ends early.', 'Use another backup. Nothing was changed.'],
  backup_damaged: [
    '{file} was changed after it was written, or is no backup of Larder.',
    'Use another backup. Nothing was changed.',
  ],
  backup_newer: [
    '{file} was made by version {version} of Larder, and this is version {own}.',
    'Install version {version} or later.',
  ],
  backup_migrations: [
    'The database of {file} has migrations that this installation has no files for: {migrations}.',
    'Install the version of Larder and the modules that made the backup, or later ones.',
  ],
  backup_other_secret: [
    '{file} is of an installation with another LARDER_SECRET, so encrypted data and signed links would be unreadable.',
    'Set LARDER_SECRET to that of the original, or write it to the file `secret` in LARDER_DATA. For a copy with a secret of its own, pass --rotate-secret.',
  ],
  backup_files_exist: [
    '{place} already has files of the backup, such as {key}. They may belong to the original.',
    'Give the copy a bucket or folder of its own. If the original is gone and these are its files, or an interrupted restore left them, pass --keep-files: only missing ones are written.',
  ],
  backup_no_module: [
    'The backup has files of the module {module}, which the recipe does not have.',
    'Restore with the recipe of the original. If the files are not needed, pass --without-files.',
  ],
  backup_events_wait: [
    '{count} events and deliveries of the backup are not processed yet. They may lead to mails and webhooks.',
    'Start Larder or a worker, and repeat the command after a few seconds. Mail and webhooks wait meanwhile.',
  ],
  backup_disk: [
    '{folder} has {left} of disk space left, and the files of the backup need {wanted}.',
    'Free some space, or set LARDER_DATA to a folder on another disk.',
  ],
})
