/** The name of a person, by their ID. */
import type { CollectionField } from '../data/collection.ts'
import { useMe } from '../data/session.ts'
import { useNamesOf, useSource } from '../resource/sources.ts'

const USER: CollectionField = { type: 'user', operators: [], sortable: false }

interface Props {
  readonly id: string
  /** Shows the ID of a person who isn't a member, instead of calling them a former one. */
  readonly isAnybody?: boolean
}

/** Also names the person who is signed in: an operator isn't always a member. */
export function UserName({ id, isAnybody = false }: Props) {
  const { data: me } = useMe()
  const members = useSource(USER)
  const source = members && isAnybody ? { ...members, id: `${members.id} or ID`, unknown: () => id } : members
  const nameOf = useNamesOf(source, [id])
  return <>{me?.user.id === id ? (me.user.name ?? me.user.email) : nameOf(id)}</>
}
