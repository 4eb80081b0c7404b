import { Page } from '../../components/Page.tsx'
import { crumbsOf } from '../../resource/generic.ts'
import type { ScreenProps } from '../registry.ts'
import { Logins } from './Logins.tsx'

export default function OwnLogins({ resource }: ScreenProps) {
  if (!resource) return null
  return (
    <Page title={resource.title} crumbs={crumbsOf({ ...resource, within: '' })}>
      <Logins path={resource.operations.list.path} mayEnd={resource.operations.delete !== undefined} />
    </Page>
  )
}
