import { InlineCode } from '../components/InlineCode.tsx'
import { isReadOnly, type Resource, type Row } from '../data/resources.ts'

/** Says where to change a record that nobody can edit here. */
export const ReadOnlyNotice = ({ resource, row }: { readonly resource: Resource; readonly row: Row }) =>
  isReadOnly(resource, row) && (
    <div className="notice">
      <InlineCode text={resource.readOnly?.text ?? ''} />
    </div>
  )
