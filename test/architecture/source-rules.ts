/** Rules about the text of source files. */
import { type Sources, withoutComments } from './imports.ts'

/** Files that only re-export. The index files of the kernel and those of the console are public surfaces. */
export function barrels(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    if (
      /^(kernel\/internal|(kernel\/(\w+\/)?|testing\/)index|bin\/ports|modules\/console\/app\/(public|pure|shared))\.ts$/.test(
        path,
      )
    )
      return []
    const code = withoutComments(text).trim()
    const rest = code.replace(/^(export|import)\b[^'"]*\bfrom ['"][^'"]+['"];?$/gm, '').trim()
    return code.includes('export') && rest === '' ? [`${path} only re-exports`] : []
  })
}

/** Type escapes, suppressed errors, debug output and reminders. */
export function suppressions(sources: Sources): string[] {
  const words = /@ts-(ignore|expect-error|nocheck)|\b(TODO|FIXME|XXX)\b/
  const code = /(:|<|\bas) *any\b|catch *(\([^)]*\))? *\{\s*\}/
  const logs = /console\.log/
  const comment = /^\s*(\*|\/\*|\/\/)/
  return [...sources].flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) => {
      const bad =
        words.test(line) || (!comment.test(line) && (code.test(line) || (logs.test(line) && !path.startsWith('bin/'))))
      return bad ? [`${path}:${index + 1} ${line.trim()}`] : []
    }),
  )
}

/**
 * Files that open more PostgreSQL connections than they add error listeners. A restart of the server makes an idle
 * connection emit `error`; without a listener that ends the process.
 */
export function withoutErrorListener(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const code = withoutComments(text)
    const opened = code.match(/\bnew (?:pg\.)?(?:Client|Pool)\(/g)?.length ?? 0
    const listeners = code.match(/\.on\('error'/g)?.length ?? 0
    return opened > listeners ? [`${path} opens ${opened} connections and has ${listeners} error listeners`] : []
  })
}

/** Modules that build the key of a lock by themselves instead of using `unit.lock`, `lockStep` or `locksStep`. */
export const handmadeLocks = (sources: Sources): string[] =>
  [...sources].flatMap(([path, text]) => (/\bpg_\w*advisory\w*lock/.test(withoutComments(text)) ? [path] : []))

/** Statements that end connections to any database of the server, which the test processes of a run share. */
export function terminatesForeignConnections(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) =>
    [...text.matchAll(/pg_terminate_backend\(pid\)[\s\S]{0,200}/g)]
      .filter(([statement]) => !statement.includes('datname = current_database()'))
      .map(() => path),
  )
}

/**
 * Shared files that import `test` instead of taking it as a parameter. In a group, several files run in one process,
 * and AVA would start the shared tests before the files have declared theirs.
 */
export const importsTest = (sources: Sources): string[] =>
  [...sources]
    .filter(
      ([path, text]) =>
        !path.endsWith('.test.ts') && /^import (?!type |.*\bregisterCompletionHandler\b).*\bfrom 'ava'$/m.test(text),
    )
    .map(([path]) => path)

/** Routes that open their own unit of work without a comment beside it, or above it, that gives the reason. */
export const ownUnitsWithoutReason = (sources: Sources): string[] =>
  [...sources].flatMap(([path, text]) => {
    const lines = text.split('\n')
    return lines.flatMap((line, index) => {
      const above = lines[index - 1]?.trim() ?? ''
      const isExplained = line.includes('//') || above.startsWith('//') || above.endsWith('*/')
      return /\bunit: 'own'/.test(line) && !isExplained ? [`${path}:${index + 1}`] : []
    })
  })

/** Modules that wake workers themselves. The statements of events and jobs do it after their commit. */
export const wakesWorkers = (sources: Sources): string[] =>
  [...sources]
    .filter(([, text]) => /\bwake(?:Workers|Relay)\b|\bpg_notify\b/.test(withoutComments(text)))
    .map(([path]) => path)

/** Files that insert logins, use what inserts those of people, or set the cookie of one. */
export const loginInserts = (sources: Sources): string[] => {
  const inserts = /insert into identity_logins\b|\bloginTable\s*\.(?:insert|upsert)\w*\(/
  return [...sources].flatMap(([path, text]) => {
    const code = withoutComments(text)
    return [
      ...(inserts.test(code) ? [`${path} inserts logins`] : []),
      ...(/from '[^']*\/login-inserts\.ts'/.test(code) ? [`${path} imports login-inserts.ts`] : []),
      ...(/\bcookies\s*\.signedIn\(/.test(code) ? [`${path} sets the cookie`] : []),
    ]
  })
}

/** Results of several statements that are told apart by their position. */
export const positionalResults = (sources: Sources): string[] =>
  [...sources].flatMap(([path, text]) =>
    [...withoutComments(text).matchAll(/\bconst (\[[^\]\n]*,(?! \.\.\.)[^\]\n]*\]) = \(?await [\w.()]+\.all\(/g)].map(
      ([, names]) => `${path}: ${names}`,
    ),
  )

/** Statements with more than six values that are numbered, not named with `statement`. */
export const numberedValues = (sources: Sources): string[] =>
  [...sources].flatMap(([path, text]) =>
    [...new Set(withoutComments(text).match(/(?<![\w$])\$(?:[7-9]|[1-9]\d)(?!\d)/g))].map(value => `${path}: ${value}`),
  )

/**
 * Inserts that write a record column by column, which `insertStep` of its table does. Others are more than that: an insert of
 * what the database selects, a part of a statement that begins with `with`, one that counts from what is stored, and one of a
 * single column.
 */
export const handwrittenInserts = (sources: Sources): string[] => {
  const inserts = /([`'"])\s*insert into (\w+)(?: as (\w+))?\s*\(([^)]*)\)\s*values\b([\s\S]*?)\1/gi
  return [...sources].flatMap(([path, text]) =>
    [...withoutComments(text).matchAll(inserts)].flatMap(([, , table = '', alias = table, columns = '', rest = '']) => {
      const isList = columns.includes(',') || columns.includes('$')
      const [, update = ''] = /\bdo update\s+set\b([\s\S]*)/i.exec(rest) ?? []
      const counts = new RegExp(`\\b${alias}\\.\\w+\\s*[-+*/]`).test(update)
      return isList && !counts ? [`${path} inserts into ${table}`] : []
    }),
  )
}

/** Calls of `together` that only run statements: `unit.all` sends them in one round trip, also outside a transaction. */
export const togetherOverStatements = (sources: Sources): string[] =>
  [...sources].flatMap(([path, text]) => {
    const [, ...calls] = withoutComments(text).split('together({')
    return calls
      .map(topLevelEntries)
      .filter(entries => entries.every(entry => /^\w+: [\w.()]+\.query\b/.test(entry)))
      .map(entries => `${path}: ${entries.map(entry => entry.split(':')[0]).join(', ')}`)
  })

/** The entries of an object literal whose text begins after its brace. */
function topLevelEntries(text: string): string[] {
  const entries = ['']
  let depth = 0
  for (const character of text) {
    if ('([{'.includes(character)) depth++
    if (')]}'.includes(character) && depth-- === 0) break
    if (character === ',' && depth === 0) entries.push('')
    else entries[entries.length - 1] += character
  }
  return entries.map(entry => entry.trim()).filter(entry => entry !== '')
}

/** Comments that begin with "Of" or "For", and so have no subject. Migrations stay as they were published. */
export const withoutSubject = (sources: Sources): string[] =>
  [...sources].flatMap(([path, text]) =>
    /\/migrations\/\d{4}-/.test(path)
      ? []
      : [...text.matchAll(/(?:\/\*\*?[\s*]*|(?<!^[ \t]*\/\/.*\n[ \t]*)(?:^|[ \t;])\/\/ *)((?:Of|For) .*)/gm)].map(
          ([, comment]) => `${path}: ${comment}`,
        ),
  )

/** Every unit of work across tenants: file → its reasons, in order. `?` is a reason that isn't a constant. */
export function crossTenantPlaces(sources: Sources): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [path, text] of sources) {
    const code = withoutComments(text)
    const calls = code.matchAll(
      /\.(?:systemTransaction|acrossTenants)(?:<[^(]*>)?\(\s*(?:(['"`])((?:(?!\1).)*)\1|([A-Z_]+))?/g,
    )
    const reasons = [...calls].map(([, , why, name]) => why ?? constant(code, name) ?? '?')
    if (reasons.length > 0) found.set(path, [...new Set(reasons)])
  }
  return found
}

/** Files that evict entries of a Map or Set that has grown too large. */
export const boundedMemory = (sources: Sources): string[] =>
  [...sources].flatMap(([path, text]) => {
    const code = withoutComments(text)
    const isKept = code.includes('caches.keep(')
    const evicts = /\.size >=? ?[A-Z][A-Z_]+\b.*\.(?:clear|delete)\(|\.size >=? ?[A-Z][A-Z_]+\) (?:clear|evict)\w*\(/
    return evicts.test(code) && !isKept ? [path] : []
  })

const constant = (code: string, name: string | undefined): string | undefined =>
  name && new RegExp(`const ${name} = (['"\`])(.*?)\\1`).exec(code)?.[2]

/**
 * What base, contract, recipe and runtime must not contain: SQL, SQLSTATEs, tables and names of browsers, in literals; and
 * the words SQL, SQLSTATE and DNS anywhere.
 */
export function beyondKernel(sources: Sources, tables: readonly string[]): string[] {
  const inCode = [
    /(?<=['"`]\s*)(?:select\s[^'"`]*\sfrom|insert into|update \w+ set|delete from|(?:create|alter|drop) (?:table|index|role))\b/gi,
    /(?<=['"`])(?:\d{2}(?:\d{3}|[A-Z]\d{2}|\d[A-Z]\d)|[A-Z]{2}\d{3})(?=['"`])/g,
    /\b(?:Chrome|Firefox|Safari|Mozilla)\b/g,
    new RegExp(`\\b(?:${[...new Set(tables)].join('|')})\\b`, 'g'),
  ]
  const anywhere = /\b(?:SQL(?:STATE)?|DNS)\b/g
  return [...sources].flatMap(([path, text]) => {
    const code = withoutComments(text)
    const found = [...inCode.flatMap(pattern => [...code.matchAll(pattern)]), ...text.matchAll(anywhere)]
    return found.map(([words]) => `${path}: ${words}`)
  })
}

/** String literals of the kernel that name a module, or a path, permission or table of one. */
export function moduleNamesInKernel(
  sources: Sources,
  modules: readonly string[],
  tables: readonly string[] = [],
): string[] {
  return [...sources].flatMap(([path, text]) =>
    withoutComments(text)
      .split('\n')
      .flatMap(line => {
        // `platform` is a scope too, and `platform: 'node'` an option of esbuild.
        const code = line.replace(/'tenant' \| 'platform'|Literal\('platform'\)|=== 'platform'|\? 'platform'/g, '')
        const literals = [...code.matchAll(/(['"`])((?:(?!\1).)+)\1/g)].map(([, , literal = '']) => literal)
        return literals
          .filter(literal => namesModule(literal, modules) || tables.some(table => hasWord(literal, table)))
          .map(literal => `${path}: ${literal}`)
      }),
  )
}

const hasWord = (text: string, word: string): boolean => new RegExp(`\\b${word}\\b`).test(text)

const namesModule = (literal: string, modules: readonly string[]): boolean =>
  /^\/(v1\/|sign-in|assets\/)/.test(literal) ||
  modules.some(name => literal === name || new RegExp(`^${name}\\.[a-z_]+\\.`).test(literal))

/** Code that reaches into a package or Node past its public interface, which a minor release may change. */
export function privateHandles(sources: Sources): string[] {
  const handles = [
    // Patched or borrowed methods of foreign classes.
    /(?<!\b(?:Object|Array|String))\.prototype\b/,
    /\bsymbols\.\w+Sym\b/,
    /\bSymbol\.for\((?!'larder\.)/,
    // Casts to what the types of a package leave out.
    /\bas unknown as (?:\{(?![^}]*\}\[\])|number\b|string\b|\w*Internals?\b)/,
  ]
  return [...sources].flatMap(([path, text]) => {
    const code = withoutComments(text)
    return handles.flatMap(handle => code.match(handle)?.map(found => `${path}: ${found}`) ?? [])
  })
}

/** Literals that are spread where they stand, `...{ a, b }` or `...([a, b] as const)`: their content belongs to what is around. */
export const spreadLiterals = (sources: Sources): string[] =>
  [...sources].flatMap(([path, text]) => {
    const code = withoutComments(text)
    return [...code.matchAll(/\.\.\.\(?[{[]/g)].flatMap(({ index }) => {
      const rest = code.slice(endOfBrackets(code, index + 3)).trimStart()
      const line = code.slice(0, index).split('\n').length
      return /^[,}\])]/.test(rest) ? [`${path}:${line} spreads a literal`] : []
    })
  })

/** The offset after the bracket that closes the one at `start`. */
function endOfBrackets(code: string, start: number): number {
  let depth = 0
  for (let at = start; at < code.length; at++) {
    if ('{[('.includes(code[at] as string)) depth++
    else if ('}])'.includes(code[at] as string) && --depth === 0) return at + 1
  }
  return code.length
}

/** Files that encrypt for somebody else to keep, or for `sealedValues`. */
const ENCRYPTING = new Set([
  'kernel/base/secrets.ts',
  'kernel/records/sealed-values.ts',
  'modules/identity/domain/sealed-values.ts',
])

/**
 * Encrypted columns that no module or service lists in `sealedColumns`: nobody would be told that a lost secret makes them
 * unreadable, and nothing would encrypt them again during a rotation.
 */
export function undeclaredSealedColumns(sources: Sources): string[] {
  const declared = new Set(
    [...sources].flatMap(([path, text]) => {
      if (!/^(modules|services)\/\w+\/(module|service)\.ts$/.test(path)) return []
      const [, list = ''] = /\bsealedColumns: \(\) => \[([^\]]*)\]/.exec(withoutComments(text)) ?? []
      return list.split(',').map(name => `${folderOf(path)} ${name.trim()}`)
    }),
  )
  return [...sources].flatMap(([path, text]) => {
    const code = withoutComments(text)
    const encrypts = /\bsecrets\.encrypt\(/.test(code) && !ENCRYPTING.has(path)
    const calls = path.startsWith('kernel/') ? [] : [...code.matchAll(/\bsealedValues\([^()]*?(\w+)\)/g)]
    return [
      ...(encrypts ? [`${path} calls secrets.encrypt`] : []),
      ...calls.flatMap(([, column = '']) =>
        declared.has(`${folderOf(path)} ${column}`) ? [] : [`${path} seals ${column}, which is not in sealedColumns`],
      ),
    ]
  })
}

const folderOf = (path: string): string => path.split('/').slice(0, 2).join('/')
