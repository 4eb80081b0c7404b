/** The staff of a product of people, and invitations to it. */

import { ListScreen, pageAddress, type ResourceScreenProps, usePermissions, useSearch } from '../../public.ts'
import { useIdentityTexts } from './texts.ts'

export default function StaffList({ resource, id }: ResourceScreenProps) {
  const c = useIdentityTexts()
  const search = useSearch()
  const { may } = usePermissions()
  return (
    <ListScreen
      resource={resource}
      id={id}
      search={search}
      actions={
        may('identity.member.invite') && (
          <a className="button primary" href={pageAddress('/workspace/members')}>
            {c.inviteStaff}
          </a>
        )
      }
    />
  )
}
