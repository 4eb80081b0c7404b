/** Resources whose records are people. */
const PEOPLE: readonly string[] = ['identity.people', 'identity.members']

export const isPeople = ({ id }: { readonly id: string }): boolean => PEOPLE.includes(id)
