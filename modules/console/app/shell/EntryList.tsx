import { Link } from '@tanstack/react-router'
import { Icon } from '../components/Icon.tsx'
import type { Entry } from './areas.ts'

export const EntryList = ({ entries }: { readonly entries: readonly Entry[] }) => (
  <ul>
    {entries.map(entry => (
      <li key={entry.id}>
        <Link to={entry.path}>
          <Icon name={entry.icon} />
          {entry.title}
        </Link>
      </li>
    ))}
  </ul>
)
