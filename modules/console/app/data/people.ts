/** Resources whose records are people. */
const PEOPLE: readonly string[] = ['identity.people', 'identity.members']

const PERSON = /^usr_/
const PERSON_OR_MEMBER = /^(usr|mem)_/

interface Readers {
  may(permission: string): boolean
  mayOnPlatform(permission: string): boolean
}
/**
 * The key of the text for a person whose name wasn't found, to somebody who may read it: the account is deleted, or the
 * person left the workspace. Undefined for other records, and if the name may only be hidden.
 */
export function namelessPerson(
  id: string,
  { may, mayOnPlatform }: Readers,
): 'deletedPerson' | 'formerMember' | undefined {
  if (mayOnPlatform('identity.user.read_all') && PERSON.test(id)) return 'deletedPerson'
  const isFormer = PERSON_OR_MEMBER.test(id) && (may('identity.member.read') || mayOnPlatform('identity.user.read_all'))
  return isFormer ? 'formerMember' : undefined
}

export const isPeople = ({ id }: { readonly id: string }): boolean => PEOPLE.includes(id)
