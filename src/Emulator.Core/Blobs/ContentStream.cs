namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Reads stored content as the source of new content.</summary>
internal static class ContentStream
{
    public static ContentSource Of(BlobContent content, BlobRange range)
    {
        var runs = content.Runs(range).GetEnumerator();
        ContentRun run = default;
        return (into, cancellationToken) =>
        {
            cancellationToken.ThrowIfCancellationRequested();
            while (run.Length == 0)
            {
                if (!runs.MoveNext())
                {
                    return ValueTask.FromResult(0);
                }

                run = runs.Current;
            }

            var length = Math.Min(run.Length, into.Length);
            run.Piece.CopyTo(run.From, into.Span[..length]);
            run = new ContentRun(run.Piece, run.From + length, run.Length - length);
            return ValueTask.FromResult(length);
        };
    }
}
