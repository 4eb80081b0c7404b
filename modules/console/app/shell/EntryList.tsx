import { Link } from '@tanstack/react-router'
import { Icon } from '../components/Icon.tsx'
import type { Entry } from './areas.ts'

export const EntryList = ({ entries }: { readonly entries: readonly Entry[] }) => (
  <ul>
    {entries.map(({ id, title, icon, path, isPage }) => (
      <li key={id}>
        {isPage ? (
          <a href={path}>
            <Icon name={icon} />
            {title}
          </a>
        ) : (
          <Link to={path}>
            <Icon name={icon} />
            {title}
          </Link>
        )}
      </li>
    ))}
  </ul>
)
