import * as z from 'zod'
import type { ResourceId } from '../../../domain/ids.ts'
import { type Resource, resourceModes, resourceTypes } from '../../../domain/resource.ts'
import { id } from './scalars.ts'

export const resourceSchema: z.ZodType<Resource> = z.object({
  resourceId: id<ResourceId>(),
  name: z.string(),
  type: z.enum(resourceTypes),
  location: z.string(),
  mode: z.enum(resourceModes),
  createdAt: z.string(),
})
