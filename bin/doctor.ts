import type { Command } from 'commander'
import { readVariable } from '../kernel/base/index.ts'
import { describeVariable, settingVariables } from './composition.ts'
import type { Finding } from './doctor/machine.ts'
import { paint, printResult, table } from './shell.ts'

type Env = Readonly<Record<string, string | undefined>>

export function doctorCommand(program: Command): void {
  program
    .command('doctor [recipe]')
    .description('check everything that a start needs')
    .option('--json', 'print JSON')
    .action(async (file: string | undefined, flags: { json?: boolean }) => {
      const { examine } = await import('./doctor/examine.ts')
      const findings = await examine(process.env, file)
      const settings = shownSettings(process.env)
      if (flags.json) printResult(JSON.stringify({ settings, findings }, null, 2))
      else printResult([settingsTable(settings), '', ...findings.map(line)].join('\n'))
      if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1
    })
}

const COLORS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

function line({ state, what, fix }: Finding): string {
  const sign = paint(COLORS[state], state.padEnd(5))
  return fix ? `${sign} ${what}\n      ${fix}` : `${sign} ${what}`
}

interface Shown {
  name: string
  value: string | null
  about: string
}

const shownSettings = (env: Env): Shown[] =>
  settingVariables.map(({ name, secret, ...variable }) => ({
    name,
    about: describeVariable(variable),
    value: (secret && readVariable(env, name) && '***') || (readVariable(env, name) ?? null),
  }))

const settingsTable = (settings: readonly Shown[]): string =>
  table(
    ['setting', 'value', 'description'],
    settings.map(({ name, value, about }) => [name, value ?? '–', about]),
  )
