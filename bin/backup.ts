import type { Command } from 'commander'
import { printResult } from './shell.ts'

interface Flags {
  readonly recipe?: string
  readonly json?: boolean
  /** Negated by --without-files. */
  readonly withoutFiles?: boolean
  readonly rotateSecret?: boolean
  readonly keepFiles?: boolean
  readonly check?: boolean
}

export function backupCommands(program: Command): void {
  program
    .command('backup <file>')
    .description('write database and files to an archive, while Larder runs')
    .option('-r, --recipe <file>', 'recipe file')
    .option('--without-files', 'only the database')
    .option('--json', 'print JSON')
    .action(async (file: string, flags: Flags) => {
      const { backUp } = await import('./backup/write.ts')
      const made = await backUp(file, { recipe: flags.recipe, withFiles: !flags.withoutFiles })
      printResult(flags.json ? JSON.stringify(made, null, 2) : made.file)
    })
  program
    .command('restore <file>')
    .description('restore an archive into an empty database')
    .option('-r, --recipe <file>', 'recipe file')
    .option('--check', 'only check the archive; needs no database')
    .option('--rotate-secret', 'make a copy with the current LARDER_SECRET in place of that of the original')
    .option('--keep-files', 'keep files that the storage already has, because they are those of the original')
    .option('--without-files', 'only the database')
    .option('--json', 'print JSON')
    .action(async (file: string, flags: Flags) => {
      const { checkArchive, restore } = await import('./backup/read.ts')
      const result = flags.check
        ? await checkArchive(file)
        : await restore(file, {
            recipe: flags.recipe,
            rotatesSecret: flags.rotateSecret ?? false,
            keepsFiles: flags.keepFiles ?? false,
            withFiles: !flags.withoutFiles,
          })
      printResult(flags.json ? JSON.stringify(result, null, 2) : result.lines.join('\n'))
    })
  program
    .command('resume')
    .description('let a restored installation send mail and webhooks and run automations again')
    .option('-r, --recipe <file>', 'recipe file')
    .option('--send', 'also send what waits')
    .action(async (flags: { recipe?: string; send?: boolean }) => {
      const { resume } = await import('./backup/resume.ts')
      printResult(await resume(flags.recipe, flags.send ?? false))
    })
}
