using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace EventHubThroughput.Verification.Sorting;

/// <summary>Reads one run of sorted items from its part of a file, a buffer at a time.</summary>
internal sealed class SortedRun<T>(TemporaryFile file, long start, long end, int bufferLength)
    where T : unmanaged
{
    private readonly T[] buffer = new T[bufferLength];
    private long position = start;
    private int next;
    private int filled;

    public T Current => buffer[next - 1];

    public bool Advance()
    {
        if (next == filled && !Fill())
        {
            return false;
        }

        next++;
        return true;
    }

    private bool Fill()
    {
        next = 0;
        filled = (int)Math.Min(buffer.Length, (end - position) / Unsafe.SizeOf<T>());
        var bytes = MemoryMarshal.AsBytes(buffer.AsSpan(0, filled));
        file.Read(position, bytes);
        position += bytes.Length;
        return filled > 0;
    }
}
