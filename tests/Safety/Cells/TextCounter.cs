namespace EventHubThroughput.Safety.Cells;

/// <summary>
/// Counts how often a text occurs in a file of any length that may still be written. It reads each byte once. Many cells wait at the same time, and
/// they must not take the processor from the awaited programs.
/// </summary>
internal sealed class TextCounter(string path, string text) : IDisposable
{
    private readonly byte[] mark = System.Text.Encoding.UTF8.GetBytes(text);
    private readonly byte[] buffer = new byte[256 * 1024];
    private FileStream? file;
    private int kept;

    /// <summary>How often it has been written so far.</summary>
    public long Count { get; private set; }

    /// <summary>Counts the records of one kind in a journal.</summary>
    public static TextCounter OfRecords(string journal, string kind) => new(journal, $"\"k\":\"{kind}\"");

    /// <summary>Reads what has been added.</summary>
    public void Advance()
    {
        if (file is null && !File.Exists(path))
        {
            return;
        }

        file ??= new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        int read;
        while ((read = file.Read(buffer, kept, buffer.Length - kept)) > 0)
        {
            var seen = buffer.AsSpan(0, kept + read);
            var last = 0;
            for (int at; (at = seen[last..].IndexOf(mark)) >= 0; Count++)
            {
                last += at + mark.Length;
            }

            // The mark may span two reads.
            kept = Math.Min(seen.Length - last, mark.Length - 1);
            seen[^kept..].CopyTo(buffer);
        }
    }

    public void Dispose() => file?.Dispose();
}
