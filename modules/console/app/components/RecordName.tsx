/** The name of a record, by its ID. */
import { useQuery } from '@tanstack/react-query'
import { SECOND } from '../../../../kernel/base/units.ts'
import type { RecordName as Named } from '../data/api-types.ts'
import { batched } from '../data/batch.ts'
import { keys } from '../data/keys.ts'
import { loadNames } from '../data/names.ts'
import { isPeople, namelessPerson } from '../data/people.ts'
import { useResources } from '../data/resources.ts'
import { useMe, usePermissions } from '../data/session.ts'
import { useTexts } from '../locales/index.ts'
import { Person } from './Avatar.tsx'
import { CopyButton } from './CopyButton.tsx'
import styles from './RecordName.module.css'
import { ScreenLink } from './ScreenLink.tsx'

/** Time until a name is asked for again. */
const NAMED_MS = 30 * SECOND

const load = batched(loadNames)

interface Props {
  readonly id: string
  /** `text` inside a link; `name` in a sentence; `copy` in the details of a record, with a button that copies the ID. */
  readonly as?: 'text' | 'name' | 'link' | 'copy'
  /** Shown in place of the kind of record. */
  readonly unnamed?: string
}

/**
 * The kind of record if the person may not read its name, or if it is gone; its ID if nobody knows the kind. A person who is
 * gone is a deleted person or a former member.
 */
export function RecordName({ id, as = 'link', unnamed }: Props) {
  const { data: named, isPending } = useQuery({
    queryKey: keys.load('/v1/platform/names', id, document.documentElement.lang),
    queryFn: async (): Promise<Named | null> => (await load(id)) ?? null,
    staleTime: NAMED_MS,
  })
  const { data: resources = [] } = useResources()
  const { data: me } = useMe()
  const permissions = usePermissions()
  const t = useTexts()
  if (isPending) return <span className="muted">…</span>
  const own = me?.user.id === id ? (me.user.name ?? me.user.email) : undefined
  const resource = resources.find(each => each.id === named?.resource && each.offered && each.operations.get)
  const person = named?.resource != null && isPeople({ id: named.resource }) ? (named.name ?? own) : undefined
  const gone = named?.name == null && own === undefined ? namelessPerson(id, permissions) : undefined
  const linked = gone ? (
    <span className="muted">{t(gone)}</span>
  ) : named?.name && resource && as !== 'text' && as !== 'name' ? (
    <ScreenLink className="name-link" to={`/${resource.module}/${resource.name}/${encodeURIComponent(named.key)}`}>
      {named.name}
    </ScreenLink>
  ) : (
    (named?.name ??
    own ?? (
      <span className={named || unnamed !== undefined ? 'muted' : 'identifier'}>{unnamed ?? named?.title ?? id}</span>
    ))
  )
  const name = person && as !== 'name' ? <Person name={person}>{linked}</Person> : linked
  if (as !== 'copy') return <span title={id}>{name}</span>
  return (
    <span className={styles.name} title={id}>
      {name}
      <CopyButton text={id} label="ID" />
    </span>
  )
}

/** What identifies no other record. */
const OWN = ['id', 'correlationId']

/** A reference in the details of a record; its own ID in full. */
export const RecordReference = ({ name, id }: { readonly name: string; readonly id: string }) =>
  OWN.includes(name) ? (
    <span className={styles.name}>
      <code>{id}</code>
      <CopyButton text={id} label="ID" />
    </span>
  ) : (
    <RecordName id={id} as="copy" />
  )
