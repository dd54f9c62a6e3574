-- CreateEnum
CREATE TYPE "role" AS ENUM ('admin', 'member');

-- CreateEnum
CREATE TYPE "thread_state" AS ENUM ('ready', 'waiting', 'active', 'error', 'interrupted');

-- CreateEnum
CREATE TYPE "message_role" AS ENUM ('user', 'assistant', 'summary');

-- CreateEnum
CREATE TYPE "response_status" AS ENUM ('queued', 'running', 'succeeded', 'failed', 'interrupted');

-- CreateTable
CREATE TABLE "organization" (
    "id" SERIAL NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_account" (
    "id" TEXT NOT NULL,
    "number" SERIAL NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "role" "role" NOT NULL DEFAULT 'member',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "access_token" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "last_four" TEXT NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "access_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "thread" (
    "id" TEXT NOT NULL,
    "organization_id" INTEGER NOT NULL,
    "owner_id" TEXT NOT NULL,
    "name" TEXT,
    "state" "thread_state" NOT NULL DEFAULT 'ready',
    "interrupt_reason" TEXT,
    "is_private" BOOLEAN NOT NULL DEFAULT false,
    "archived" BOOLEAN NOT NULL DEFAULT false,
    "epoch" BIGINT NOT NULL DEFAULT 0,
    "queued_at" TIMESTAMPTZ(3),
    "last_sequence" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "moved_xid" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "thread_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "message" (
    "id" TEXT NOT NULL,
    "thread_id" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "role" "message_role" NOT NULL,
    "contents" JSONB NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "reply_to_id" TEXT,
    "position" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "message_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "response" (
    "message_id" TEXT NOT NULL,
    "thread_id" TEXT NOT NULL,
    "status" "response_status" NOT NULL DEFAULT 'queued',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "epoch" BIGINT NOT NULL DEFAULT 0,
    "worker_id" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "deadline_at" TIMESTAMPTZ(3),
    "error_code" TEXT,
    "error_message" TEXT,
    "model" TEXT,
    "input_tokens" INTEGER,
    "output_tokens" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "response_pkey" PRIMARY KEY ("message_id")
);

-- CreateTable
CREATE TABLE "feedback" (
    "message_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "positive" BOOLEAN NOT NULL,
    "text" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feedback_pkey" PRIMARY KEY ("message_id","user_id")
);

-- CreateTable
CREATE TABLE "thread_position" (
    "thread_id" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "moved_xid" BIGINT NOT NULL,

    CONSTRAINT "thread_position_pkey" PRIMARY KEY ("thread_id","updated_at")
);

-- CreateTable
CREATE TABLE "list_position" (
    "user_id" TEXT NOT NULL,
    "order" TEXT NOT NULL,
    "thread_id" TEXT NOT NULL,
    "cursor" TEXT NOT NULL,

    CONSTRAINT "list_position_pkey" PRIMARY KEY ("user_id","order","thread_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "organization_slug_key" ON "organization"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "user_account_number_key" ON "user_account"("number");

-- CreateIndex
CREATE UNIQUE INDEX "user_account_email_key" ON "user_account"("email");

-- CreateIndex
CREATE UNIQUE INDEX "user_account_organization_id_id_key" ON "user_account"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "access_token_digest_key" ON "access_token"("digest");

-- CreateIndex
CREATE INDEX "access_token_user_id_id_idx" ON "access_token"("user_id", "id");

-- CreateIndex
CREATE INDEX "thread_organization_id_updated_at_id_idx" ON "thread"("organization_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "thread_organization_id_created_at_id_idx" ON "thread"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "thread_owner_id_updated_at_id_idx" ON "thread"("owner_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "message_thread_id_sequence_key" ON "message"("thread_id", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "message_reply_to_id_position_key" ON "message"("reply_to_id", "position");

-- CreateIndex
CREATE INDEX "response_thread_id_idx" ON "response"("thread_id");

-- CreateIndex
CREATE INDEX "feedback_user_id_idx" ON "feedback"("user_id");

-- CreateIndex
CREATE INDEX "thread_position_updated_at_idx" ON "thread_position" USING BRIN ("updated_at");

-- CreateIndex
CREATE INDEX "list_position_thread_id_idx" ON "list_position"("thread_id");

-- AddForeignKey
ALTER TABLE "user_account" ADD CONSTRAINT "user_account_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_token" ADD CONSTRAINT "access_token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "thread" ADD CONSTRAINT "thread_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "thread" ADD CONSTRAINT "thread_organization_id_owner_id_fkey" FOREIGN KEY ("organization_id", "owner_id") REFERENCES "user_account"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_thread_id_fkey" FOREIGN KEY ("thread_id") REFERENCES "thread"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_reply_to_id_fkey" FOREIGN KEY ("reply_to_id") REFERENCES "message"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "response" ADD CONSTRAINT "response_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "message"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "response" ADD CONSTRAINT "response_thread_id_fkey" FOREIGN KEY ("thread_id") REFERENCES "thread"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "message"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "list_position" ADD CONSTRAINT "list_position_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "list_position" ADD CONSTRAINT "list_position_thread_id_fkey" FOREIGN KEY ("thread_id") REFERENCES "thread"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "thread_position" ADD CONSTRAINT "thread_position_thread_id_fkey" FOREIGN KEY ("thread_id") REFERENCES "thread"("id") ON DELETE CASCADE ON UPDATE CASCADE;
