import * as z from 'zod'
import type { ProfileRepository, RegisteredProfile } from '../../application/ports/profile.ts'
import { automationProfileSchema } from '../../domain/profile/profile.ts'
import type { Connection } from './connection.ts'
import { recordTable } from './record-table.ts'

const registeredSchema: z.ZodType<RegisteredProfile> = z.object({
  name: z.string(),
  profile: automationProfileSchema,
  text: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

/** Registered automation profiles, each with the text it was read from. */
export function profileRepository(connection: Connection): ProfileRepository {
  const { db, write } = connection
  const profiles = recordTable<RegisteredProfile>(connection, {
    table: 'automation_profiles',
    key: 'name',
    columns: { name: 'name' },
    schema: registeredSchema,
  })
  return {
    put: profiles.put,
    find: profiles.one('WHERE name = ?'),
    list: profiles.many('ORDER BY name'),
    remove: name => void write(() => db.prepare('DELETE FROM automation_profiles WHERE name = ?').run(name)),
  }
}
