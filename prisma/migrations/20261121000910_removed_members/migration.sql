-- AlterTable
ALTER TABLE "user_account" ADD COLUMN     "removed_at" TIMESTAMPTZ(3);
