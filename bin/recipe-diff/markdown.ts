/** Formats the differences of two recipes as a comment for a pull request. Pure. */
import type { RecipeChange } from '../../kernel/index.ts'
import { type RecipeDifferences, TOPICS, type Topic } from './compare.ts'

/** GitHub accepts comments of 65,536 characters. */
const MAX_LENGTH = 60_000
const MAX_TEXT_LENGTH = 1000
/** Upper bound of the subjects that one line lists. */
const MAX_NAMES = 50

const TITLES: Readonly<Record<Topic, string>> = {
  api: 'API',
  permissions: 'Permissions and roles',
  data: 'Data',
  profile: 'Profiles',
  pages: 'Mails and pages',
  settings: 'Settings',
}
const VERBS = { add: 'Added', change: 'Changed', remove: 'Removed' } as const

export const breakingOf = (differences: RecipeDifferences): RecipeChange[] =>
  TOPICS.flatMap(topic => differences[topic]).filter(({ breaks }) => breaks !== undefined)

export function toMarkdown(differences: RecipeDifferences, before: string, after: string): string {
  const total = TOPICS.flatMap(topic => differences[topic]).length
  const head = [
    `## Changes of the recipe`,
    '',
    `From ${code(before)} to ${code(after)}: ${summary(differences, total)}`,
  ]
  const items = TOPICS.flatMap(topic => joined(differences[topic]).map(group => ({ topic, group, line: item(group) })))
  // Breaking changes are the last to be left out for length.
  const byWeight = [...items].sort((a, b) => Number(!isBreaking(a.group)) - Number(!isBreaking(b.group)))
  let room = MAX_LENGTH - head.join('\n').length
  const shown = new Set(
    byWeight.filter(({ line }) => {
      room -= line.length + 1
      return room > 0
    }),
  )
  const sections = TOPICS.flatMap(topic => {
    const own = items.filter(each => each.topic === topic)
    if (own.length === 0) return []
    const omitted = own.filter(each => !shown.has(each)).reduce((sum, { group }) => sum + group.subjects.length, 0)
    const lines = own.filter(each => shown.has(each)).map(({ line }) => line)
    return ['', `### ${TITLES[topic]}`, '', ...lines, ...(omitted > 0 ? [`- ${omitted} more: see \`--json\``] : [])]
  })
  return [...head, ...sections].join('\n')
}

/** Subjects with the same change. */
interface Group extends Omit<RecipeChange, 'subject'> {
  readonly subjects: readonly string[]
}

const isBreaking = ({ breaks }: Group): boolean => breaks !== undefined

/** Joins changes that differ in their subject only. */
function joined(changes: readonly RecipeChange[]): Group[] {
  const groups = new Map<string, RecipeChange[]>()
  for (const change of changes) {
    const key = JSON.stringify([change.change, change.detail, change.breaks])
    groups.set(key, [...(groups.get(key) ?? []), change])
  }
  return [...groups.values()].map(([first, ...others]) => {
    const { subject, ...change } = first as RecipeChange
    return { ...change, subjects: [subject, ...others.map(other => other.subject)] }
  })
}

function summary(differences: RecipeDifferences, total: number): string {
  if (total === 0) return 'no differences.'
  const breaking = breakingOf(differences).length
  const count = total === 1 ? '1 difference' : `${total} differences`
  return breaking === 0 ? `${count}, none of them breaking.` : `${count}, **${breaking} breaking**.`
}

function item({ change, subjects, detail, breaks }: Group): string {
  const about = [
    ...(detail ? [`: ${plain(shortened(detail))}`] : []),
    ...(breaks ? [`. **Breaking:** ${plain(shortened(breaks))}`] : []),
  ]
  const names = subjects.slice(0, MAX_NAMES).map(code)
  const more = subjects.length - names.length
  const list = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `- ${VERBS[change]} ${list}${about.join('')}`
}

const shortened = (text: string): string =>
  text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text

/** A code span whose text contains no more backticks in a row than its ends have. */
function code(text: string): string {
  const line = oneLine(text)
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`
}

/** Escapes text so that no renderer reads it as markup, a mention or an issue. */
const plain = (text: string): string =>
  oneLine(text)
    .replace(/[\\`*[<]|~~|(?<!\w)_|_(?!\w)/g, markup => `\\${markup}`)
    .replace(/(?<!\w)[@#](?=\w)/g, character => `${character}<!-- -->`)

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
