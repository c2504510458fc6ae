import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';

/** Operation names from section 7 of the specification. */
const QUERIES = `
  login getStudent checkUserName getAvatars getSpaces getSubjectsForSpace getSubjectTopics getPopularTopics
  searchTopics searchQuestions searchAnswers searchUsers getPaginatedQuestions getPaginatedSavedQuestions
  getAllSavedQuestions getUnsolvedQuestions getQuestionById getQuestionByIdWithUserAuthorization getPaginatedAnswers
  getPaginatedComments getPaginatedQuestionComments getPaginatedPostReports getPaginatedLeaderboardScores
  getLeaderboardScores getPaginatedNotifications getPaginatedStudentActivities getPaginatedNewsposts getPresignedS3Url`;
const MUTATIONS = `
  createStudent sendOTP verifyOTP updateStudent changePassword createQuestion createTopic updateQuestion createAnswer
  updateAnswer createComment createQuestionComment deleteQuestionById deleteAnswerById deleteCommentById
  deleteQuestionCommentById upvoteQuestion downvoteQuestion upvoteAnswer downvoteAnswer saveQuestion unsaveQuestion
  acceptAnswer reportPost joinSpace leaveSpace likeNewspost saveNewspost`;

const names = (text: string): string[] => text.trim().split(/\s+/);
const schema = buildSchema(readFileSync('apps/api/schema.graphql', 'utf8'));

describe('the schema', () => {
  it.each(names(QUERIES))('has the query %s', (name) => {
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toContain(name);
  });

  it.each(names(MUTATIONS))('has the mutation %s', (name) => {
    expect(Object.keys(schema.getMutationType()?.getFields() ?? {})).toContain(name);
  });
});
