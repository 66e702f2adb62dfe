import type { HomedWebsite } from "#domain/content-home";
import type { PostId } from "#domain/ids";
import type { Post } from "#domain/post";
import type { ContentStore } from "#ports/content-store";
import { withWritesOf } from "#ports/content-writes";
import type { Transacting } from "../database.ts";
import { lookUpByKey } from "./look-up-by-key.ts";
import { slugClaims } from "./claims.ts";
import { connect, connectAsMover, type Connection } from "./connection.ts";
import { eraseWebsite } from "./erase.ts";
import { changeFeed } from "./feed.ts";
import { livePosts } from "./live-posts.ts";
import { mediaRecords } from "./media.ts";
import { postLists } from "./post-lists.ts";
import { POST_COLUMNS, postOf, type PostRow } from "./post-row.ts";
import { postSweeps } from "./post-sweeps.ts";
import { postWrites } from "./post-writes.ts";
import { recordsBeside } from "./records-beside.ts";
import { revisionStore } from "./revisions.ts";
import { postSearch } from "./search.ts";
import { termStore } from "./terms.ts";

interface Options {
  /** Its writes pass the fence of this website, to copy its content back. */
  readonly mover?: HomedWebsite;
  /** How many titles of a status one answer looks at, in growing parts. */
  readonly titlesAtOnce?: readonly number[];
}

/** The content store on PostgreSQL, in a migrated database. */
export function openPostgresContent(database: Transacting, { mover, titlesAtOnce }: Options = {}): ContentStore {
  const content = contentOn(connect(database), titlesAtOnce);
  return mover ? withWritesOf(content, contentOn(connectAsMover(database, mover))) : content;
}

function contentOn(connection: Connection, titlesAtOnce?: readonly number[]): ContentStore {
  const findPost = lookUpByKey<PostId, PostRow, Post>(connection, "posts", POST_COLUMNS, postOf);
  return {
    posts: {
      get: (websiteId, id) => findPost({ websiteId, id }),
      ...postWrites(connection),
      ...postLists(connection, titlesAtOnce),
      ...livePosts(connection),
      ...postSweeps(connection),
    },
    claims: slugClaims(connection),
    terms: termStore(connection),
    media: mediaRecords(connection),
    revisions: revisionStore(connection),
    beside: recordsBeside(connection),
    feed: changeFeed(connection),
    search: postSearch(connection),
    eraseWebsite: eraseWebsite(connection),
    // The database was given: its opener closes it.
    close: async () => {},
  };
}
