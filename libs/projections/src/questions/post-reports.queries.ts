import type { ReportedPostType } from '@nimo/domain';
import { type Page, pageFrom, type PageRow, type Queryable } from '../queryable.js';

export interface PostReportView {
  readonly _id: string;
  readonly student: string;
  readonly post: string;
  readonly postType: ReportedPostType;
  readonly reason: string;
}

export interface OwnPostReportsOptions {
  readonly studentId: string;
  readonly postType: ReportedPostType;
  readonly page?: number;
  readonly limit?: number;
}

/** What the student reported, the latest first. A student's reports are few: they are counted. */
export async function pageOfOwnPostReports(
  db: Queryable,
  { studentId, postType, page = 1, limit = 100 }: OwnPostReportsOptions,
): Promise<Page<PostReportView>> {
  const { rows } = await db.query<PageRow<PostReportView>>({
    name: 'own-post-reports',
    text: `
      select total.n as total, page.* from (
        select count(*)::int as n from read.post_reports where reporter_id = $1 and post_type = $2
      ) total
      left join lateral (
        select post_id || ':' || reporter_id as "_id", reporter_id as student, post_id as post,
          post_type as "postType", reason
        from read.post_reports where reporter_id = $1 and post_type = $2
        order by reported_at desc, post_id limit $3 offset $4
      ) page on true`,
    values: [studentId, postType, limit, (page - 1) * limit],
  });
  return pageFrom(
    rows,
    { page, limit, idColumn: '_id' },
    ({ _id, student, post, postType: type, reason }) => ({
      _id,
      student,
      post,
      postType: type,
      reason,
    }),
  );
}
