namespace System;

[ReadFrom("System.Memory.Data", "6.0.36")]
public class BinaryData
{
    internal BinaryData() => throw null!;

    public static BinaryData FromBytes(ReadOnlyMemory<byte> data) => throw null!;

    public ReadOnlyMemory<byte> ToMemory() => throw null!;
}
