// SPDX-License-Identifier: MIT
// The same from C++.
#include <iostream>
#include <string>

#include <heddle/heddle.h>

int
main()
{
   const std::string expected = std::to_string(HD_VERSION_MAJOR) + "." +
                                std::to_string(HD_VERSION_MINOR) + "." +
                                std::to_string(HD_VERSION_PATCH);

   std::cout << hd_version() << "\n";
   return hd_version() != expected;
}
